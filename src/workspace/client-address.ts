export { isLoopback, toNetwork } from '../identity/client-address.ts';
