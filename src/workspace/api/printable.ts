export { escapeControls, guardTerminal, toPrintable, toPrintableLines } from '../../engine/text/printable.ts';
