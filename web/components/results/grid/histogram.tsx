import { printCount } from '../../catalog/view/print-size.ts';
import type { Bin } from '../compute/bins.ts';
import classes from './summary.module.css';

interface HistogramProps {
  readonly bins: readonly Bin[];
  /** The name of the column's type. */
  readonly type: string;
}

/** The distribution of numbers or times. */
export function Histogram({ bins, type }: HistogramProps) {
  const most = Math.max(...bins.map(({ count }) => count));
  const print = (value: number) => printBound(value, type);
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined) return null;
  const highest = bins.find(({ count }) => count === most) ?? first;
  return (
    <figure className={classes.histogram}>
      <div
        className={classes.bars}
        role="img"
        aria-label={`Distribution from ${print(first.from)} to ${print(last.to)}; most rows from ${print(highest.from)} to ${print(highest.to)}`}
      >
        {bins.map(({ from, to, count }) => (
          <span
            key={from}
            title={`${from === to ? print(from) : `${print(from)} to ${print(to)}`}: ${printCount(count)}`}
            style={{ height: `${count === 0 ? 0 : Math.max(2, (100 * count) / most)}%` }}
          />
        ))}
      </div>
      <figcaption className={classes.bounds}>
        <span>{print(first.from)}</span>
        <span>{print(last.to)}</span>
      </figcaption>
    </figure>
  );
}

const NUMBER = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 });

function printBound(value: number, type: string): string {
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
