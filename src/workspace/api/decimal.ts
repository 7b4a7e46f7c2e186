export { isDecimal } from '../../engine/text/decimal.ts';
