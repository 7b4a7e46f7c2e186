import type { ColumnSketch } from '../compute/sketch-column.ts';
import classes from './grid.module.css';
import { printBound, printShare } from './print-facts.ts';

interface SketchLineProps {
  readonly sketch: ColumnSketch;
  /** The name of the column's type. */
  readonly type: string;
}

/** The share of NULL in a column, and how its values are distributed, in one line. */
export function SketchLine({ sketch, type }: SketchLineProps) {
  const { rows, nulls, bins, top } = sketch;
  const counts = (bins.length > 0 ? bins : top).map(({ count }) => count);
  const share = `${printShare(nulls, rows)} NULL`;
  const label = describeSketch(sketch, type);
  return (
    <span className={classes.sketch} title={`${share}${label === null ? '' : ` · ${label}`}`}>
      {label !== null && <Bars counts={counts} label={label} />}
      <span className={classes.nulls} data-some={nulls > 0 || undefined}>
        {share}
      </span>
    </span>
  );
}

/** Bars next to each other, the highest as high as the line. */
function Bars({ counts, label }: { readonly counts: readonly number[]; readonly label: string }) {
  const most = Math.max(...counts);
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.bars}
      viewBox={`0 0 ${counts.length} 1`}
      preserveAspectRatio="none"
    >
      <path
        d={counts.map((count, at) => drawBar(at, count === 0 ? 0 : Math.max(0.06, count / most))).join('')}
      />
    </svg>
  );
}

function drawBar(at: number, height: number): string {
  return height === 0 ? '' : `M${at + 0.1} 1v${-height}h.8v${height}z`;
}

/** The bars in words; null without bars. */
function describeSketch({ rows, bins, top }: ColumnSketch, type: string): string | null {
  const [first, last] = [bins[0], bins.at(-1)];
  if (first !== undefined && last !== undefined) {
    const [from, to] = [printBound(first.from, type), printBound(last.to, type)];
    return from === to ? `only ${from}` : `from ${from} to ${to}`;
  }
  if (top.length === 0) return null;
  const values = top.slice(0, 3).map(({ text, count }) => `${shorten(text)} ${printShare(count, rows)}`);
  return `most frequent: ${values.join(', ')}`;
}

function shorten(text: string): string {
  if (text === '') return '(empty text)';
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}
