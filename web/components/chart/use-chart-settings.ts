import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ResultSource } from '../results/source/result-source.ts';
import type { ChartSettings } from './chart-settings.ts';
import { roleOf } from './column-role.ts';

/** The pause after which the address has the settings, in milliseconds: browsers limit how often it may change. */
const PAUSE_MS = 250;

/**
 * The settings that a person has chosen for the chart of a statement, which are in the address of the page, and a function
 * that changes them; null for the first choice. Settings of columns that the result does not have are ignored.
 */
export function useChartSettings(
  statement: number,
  source: ResultSource,
): readonly [ChartSettings | null, (settings: ChartSettings | null) => void] {
  const { chart } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ChartSettings | null>(() =>
    chart?.of === statement && fits(chart, source) ? chart : null,
  );
  const write = useDebouncedCallback((settings: ChartSettings | null) => {
    const next = settings === null ? undefined : { ...settings, of: statement };
    void navigate({ to: '.', search: (before) => ({ ...before, chart: next }), replace: true });
  }, PAUSE_MS);
  const change = (settings: ChartSettings | null) => {
    setChosen(settings);
    write(settings);
  };
  return [chosen, change];
}

/** Whether a result has the columns of a chart. */
function fits({ kind, x, y, series }: ChartSettings, { columns }: ResultSource): boolean {
  const find = (index: number) => {
    const column = columns[index];
    return column === undefined ? null : roleOf(column);
  };
  const isPlaced = kind === 'histogram' || kind === 'scatter';
  const across = x === null ? 'number' : find(x);
  return (
    across !== null &&
    !(isPlaced && across === 'name') &&
    y.every((column) => find(column) === 'number') &&
    (series === null || find(series) !== null) &&
    (kind !== 'number' || y.length === 1)
  );
}
