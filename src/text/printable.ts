/** A string as a terminal shows it: `width` is in terminal columns. */
export interface Printable {
  readonly text: string;
  readonly width: number;
}

const TAB_STOP = 4;
const REPLACEMENT = '\ufffd';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const ZERO_WIDTH = /[\p{Mn}\p{Me}]/u;
const DOUBLE_WIDTH =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/**
 * Converts a string for one line of a terminal, starting at a 0-based column: tabs become spaces up to the next stop,
 * and unprintable characters (escape sequences, line ends, direction marks) become visible signs.
 */
export function toPrintable(text: string, column: number): Printable {
  let shown = '';
  let width = 0;
  for (const character of text) {
    const sign = printSign(character, column + width);
    shown += sign;
    width += character === '\t' ? sign.length : findWidth(sign);
  }
  return { text: shown, width };
}

/** Converts a message for a terminal: keeps its lines, and makes every other unprintable character visible. */
export function toPrintableLines(text: string): string {
  const lines = text.split(/\r\n|\n/);
  return lines.map((line) => toPrintable(line, 0).text).join('\n');
}

/** Characters, except line ends and tabs, that move a terminal's cursor or change its state or text direction. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u2028\u2029\p{Bidi_Control}]|\r(?!\n|\x1b\[K)|\x1b(?!\[[\d;]*[mK])/gu;

/** Converts a string for a terminal: keeps colours and line ends; every other control becomes a visible sign. */
export function guardTerminal(text: string): string {
  return text.replace(CONTROL, (control) => printSign(control, 0));
}

/** Escapes the terminal controls that JSON allows unescaped in a line of JSON. The value stays the same. */
export function escapeControls(json: string): string {
  return json.replace(/[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu, (control) => {
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function printSign(character: string, column: number): string {
  if (character === '\t') return ' '.repeat(TAB_STOP - (column % TAB_STOP));
  if (!UNPRINTABLE.test(character)) return character;
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : REPLACEMENT;
}

function findWidth(character: string): number {
  if (character.length === 1 && character.charCodeAt(0) < 0x300) return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return DOUBLE_WIDTH.test(character) ? 2 : 1;
}
