import { Text } from '@mantine/core';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import type { ResultChartProps } from '../../chart/result-chart.tsx';
import { LoadError } from '../../load-error.tsx';
import { rowAt, type ShownRows } from '../compute/use-rows.ts';
import type { ResultSource } from '../source/result-source.ts';
import classes from './run.module.css';

interface ChartPanelProps {
  readonly source: ResultSource;
  readonly rows: ShownRows;
}

/** The shown rows as a chart; the code of charts is loaded when the first one is shown. */
export function ChartPanel({ source, rows }: ChartPanelProps) {
  const [Chart, setChart] = useState<ComponentType<ResultChartProps> | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(1);
  const shown = useMemo(() => arrange(source, rows), [source, rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
  useEffect(() => {
    setError(null);
    import('../../chart/result-chart.tsx').then((part) => setChart(() => part.ResultChart), setError);
  }, [attempt]);
  if (error !== null) {
    return (
      <LoadError
        title="Charts could not be loaded"
        error={error}
        onRetry={() => setAttempt((count) => count + 1)}
      />
    );
  }
  return (
    <div className={classes.scrolled}>
      {Chart === null ? (
        <Text p="md" c="dimmed" role="status">
          Loading the chart…
        </Text>
      ) : (
        <Chart source={shown} />
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
