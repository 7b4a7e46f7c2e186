export { toPrintableLines } from '../engine/text/printable.ts';
