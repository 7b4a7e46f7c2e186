export { suggest } from '../../engine/text/suggest.ts';
