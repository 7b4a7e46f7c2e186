import { Loader, Stack, Table, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { printCount } from '../../catalog/view/print-size.ts';
import { LoadError } from '../../load-error.tsx';
import type { Bin } from '../compute/bins.ts';
import { compute } from '../compute/compute.ts';
import type { ColumnSummary } from '../compute/summarize-column.ts';
import type { ValueCount } from '../compute/value-counter.ts';
import type { ResultSource } from '../source/result-source.ts';
import { printBound, printShare } from './print-facts.ts';
import classes from './summary.module.css';

interface HistogramProps {
  readonly bins: readonly Bin[];
  /** The name of the column's type. */
  readonly type: string;
}

/** The distribution of numbers or times. */
function Histogram({ bins, type }: HistogramProps) {
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

/** The digits of a number that a double always keeps. */
const DIGITS = 15;

/** A number as far as it is exact, a date, or a time with its milliseconds, if any. */
function printQuartile(value: number, type: string): string {
  if (type === 'DATE' || type === 'TIMESTAMP' || type === 'TIME') {
    const date = new Date(value);
    if (Number.isNaN(date.getTime())) return printBound(value, type);
    const [day = '', clock = ''] = date
      .toISOString()
      .replace(/(?:\.000)?Z$/, '')
      .split('T');
    return { DATE: day, TIMESTAMP: `${day} ${clock}`, TIME: clock }[type];
  }
  const nearest = String(Number(value.toPrecision(DIGITS)));
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? `≈ ${nearest}` : nearest;
}

interface ColumnFactsProps {
  readonly source: ResultSource;
  /** The rows to summarize; null for all. */
  readonly order: Uint32Array | null;
  readonly column: number;
}

/** A summary, and its column. */
interface Summarized {
  readonly column: number;
  readonly summary: ColumnSummary;
}

/**
 * Facts about the values of a column: how many, how many different ones, and how they are distributed. While further rows
 * arrive, the facts of the earlier ones remain.
 */
export function ColumnFacts({ source, order, column }: ColumnFactsProps) {
  const [last, setLast] = useState<Summarized | null>(null);
  const [failed, setFailed] = useState<{ readonly column: number; readonly error: Error } | null>(null);
  const error = failed?.column === column ? failed.error : null;
  useEffect(() => {
    if (error !== null) return;
    const stop = new AbortController();
    compute(source, { kind: 'summarize', column, order }, stop.signal).then(
      (summary) => setLast({ column, summary }),
      (reason: unknown) => {
        if (!stop.signal.aborted)
          setFailed({ column, error: reason instanceof Error ? reason : new Error(String(reason)) });
      },
    );
    return () => stop.abort();
  }, [source, order, column, error]);
  if (error !== null) {
    return (
      <LoadError title="The column could not be summarized" error={error} onRetry={() => setFailed(null)} />
    );
  }
  if (last?.column !== column) {
    return (
      <Stack align="center" py="lg" role="status">
        <Loader size="sm" />
        <Text size="sm">Reading the values</Text>
      </Stack>
    );
  }
  return <FactsTable summary={last.summary} type={source.columns[column]?.type ?? ''} />;
}

function FactsTable({ summary, type }: { readonly summary: ColumnSummary; readonly type: string }) {
  const { rows, nulls, distinct, min, max, mean, quartiles, bins, top } = summary;
  return (
    <Stack gap="md">
      {bins.length > 1 && <Histogram bins={bins} type={type} />}
      <Table className={classes.facts} verticalSpacing={6}>
        <Table.Tbody>
          <Fact name="Type" value={type.toLowerCase()} />
          <Fact name="Rows" value={printCount(rows)} />
          <Fact name="NULL" value={rows === 0 ? '0' : `${printCount(nulls)} (${printShare(nulls, rows)})`} />
          <Fact
            name="Distinct values"
            value={distinct === null ? 'too many to count' : printCount(distinct)}
          />
          {min !== null && <Fact name="Minimum" value={min} />}
          {quartiles !== null && (
            <>
              <Fact name="Lower quartile" value={printQuartile(quartiles.lower, type)} />
              <Fact name="Median" value={printQuartile(quartiles.median, type)} />
              <Fact name="Upper quartile" value={printQuartile(quartiles.upper, type)} />
            </>
          )}
          {max !== null && <Fact name="Maximum" value={max} />}
          {mean !== null && <Fact name="Mean" value={`≈ ${Number(mean.toPrecision(6))}`} />}
        </Table.Tbody>
      </Table>
      {top.length > 0 && <TopValues top={top} rows={rows} />}
    </Stack>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td>{value}</Table.Td>
    </Table.Tr>
  );
}

function TopValues({ top, rows }: { readonly top: readonly ValueCount[]; readonly rows: number }) {
  const most = top[0]?.count ?? 1;
  return (
    <section aria-label="Most frequent values">
      <Text size="sm" fw={600} mb={6}>
        Most frequent values
      </Text>
      <ul className={classes.top}>
        {top.map(({ text, count }) => (
          <li key={text}>
            <span className={classes.bar} style={{ width: `${(100 * count) / most}%` }} aria-hidden="true" />
            <span className={classes.value}>{text === '' ? '(empty text)' : text}</span>
            <span className={classes.count}>
              {printCount(count)} ({printShare(count, rows)})
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
