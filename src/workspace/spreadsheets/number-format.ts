/** What the numbers of a format stand for; undefined for numbers. */
export type SerialKind = 'date' | 'timestamp' | 'time' | 'interval' | undefined;

/** Ids of formats that files do not define: ISO/IEC 29500-1, 18.8.30, with those of East Asian versions. */
const BUILT_IN: readonly (readonly [first: number, last: number, kind: SerialKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'timestamp'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'interval'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

/** The kind of a format by its id, and by its code if the file defines it. */
export function findSerialKind(id: number, code: string | undefined): SerialKind {
  if (code !== undefined) return classifyFormat(code);
  return BUILT_IN.find(([first, last]) => id >= first && id <= last)?.[2];
}

/** Texts in quotes, characters after `\`, `_` and `*`, and conditions, colours or languages in brackets. */
const LITERALS = /"[^"]*"?|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gis;

function classifyFormat(code: string): SerialKind {
  const [first = ''] = code.replace(LITERALS, '').split(';');
  if (/^\s*general\s*$/i.test(first)) return undefined;
  const text = first.replace(/general|E[+-]/gi, '');
  if (/\[[hms]+\]/i.test(text)) return 'interval';
  const clock = text.replace(/AM\/PM|A\/P/gi, 's');
  const hasTime = /[hs]/i.test(clock);
  const hasDate = /[yde]|m{3,}/i.test(clock) || (/m/i.test(clock) && !hasTime);
  if (hasDate) return hasTime ? 'timestamp' : 'date';
  return hasTime ? 'time' : undefined;
}
