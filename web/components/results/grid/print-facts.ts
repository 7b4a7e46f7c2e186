const NUMBER = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 });

/** An end of a bar, which is a number or a time. */
export function printBound(value: number, type: string): string {
  if (type === 'DATE' || type === 'TIMESTAMP') {
    const date = new Date(value);
    // A date that JavaScript cannot represent.
    if (Number.isNaN(date.getTime())) return NUMBER.format(value);
    return date
      .toISOString()
      .slice(0, type === 'DATE' ? 10 : 16)
      .replace('T', ' ');
  }
  return type === 'TIME' ? new Date(value).toISOString().slice(11, 19) : NUMBER.format(value);
}

const SHARE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
/** The least share that is not printed as 0%. */
const LEAST = 0.001;

/** A part of a whole in percent; only nothing is 0%, and only everything is 100%. */
export function printShare(part: number, whole: number): string {
  const share = part / whole;
  if (share > 0 && share < LEAST) return `<${SHARE.format(LEAST)}`;
  if (share < 1 && share > 1 - LEAST) return `>${SHARE.format(1 - LEAST)}`;
  return SHARE.format(share);
}
