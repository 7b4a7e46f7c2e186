import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { LoadError } from '../../load-error.tsx';
import { usePart } from '../../use-part.ts';
import { rowAt, type ShownRows } from '../compute/use-rows.ts';
import type { ResultSource } from '../source/result-source.ts';
import classes from './run.module.css';

const loadChart = () => import('../../chart/result-chart.tsx');

interface ChartPanelProps {
  readonly source: ResultSource;
  readonly rows: ShownRows;
}

/** The shown rows as a chart; the code of charts is loaded when the first one is shown. */
export function ChartPanel({ source, rows }: ChartPanelProps) {
  const { part, error, retry } = usePart(loadChart);
  const shown = useMemo(() => arrange(source, rows), [source, rows]);
  if (error !== null) return <LoadError title="Charts could not be loaded" error={error} onRetry={retry} />;
  return (
    <div className={classes.scrolled}>
      {part === null ? (
        <Text p="md" c="dimmed" role="status">
          Loading the chart…
        </Text>
      ) : (
        <part.ResultChart source={shown} />
      )}
    </div>
  );
}

/** A source with only the shown rows, in their order. */
function arrange(source: ResultSource, rows: ShownRows): ResultSource {
  if (rows.order === null) return source;
  return {
    ...source,
    rowCount: rows.count,
    getValue: (row, column) => source.getValue(rowAt(rows, row), column),
    getText: (row, column, longest) => source.getText(rowAt(rows, row), column, longest),
    getNumber: (row, column) => source.getNumber(rowAt(rows, row), column),
  };
}
