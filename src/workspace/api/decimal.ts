export { isDecimal, toDecimalText } from '../../engine/text/decimal.ts';
