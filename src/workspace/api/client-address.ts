export { isLoopback, toNetwork } from '../../identity/sessions/client-address.ts';
