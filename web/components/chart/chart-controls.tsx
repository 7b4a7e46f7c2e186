import { MultiSelect, Select, TextInput } from '@mantine/core';
import type { ResultSource } from '../results/source/result-source.ts';
import classes from './chart.module.css';
import { CHART_KINDS, type ChartKind, type ChartSettings, KIND_LABELS } from './chart-settings.ts';
import { MAX_SERIES } from './choose-chart.ts';
import { type ColumnRole, roleOf } from './column-role.ts';

/** The kinds whose horizontal axis has no names. */
const NUMERIC: readonly ChartKind[] = ['scatter', 'histogram'];

interface ChartControlsProps {
  readonly source: ResultSource;
  readonly settings: ChartSettings;
  readonly onChange: (settings: ChartSettings) => void;
}

/** The choice of the kind, the columns and the title of a chart. */
export function ChartControls({ source, settings, onChange }: ChartControlsProps) {
  const { kind, x, y, series, title } = settings;
  const change = (fields: Partial<ChartSettings>) => onChange({ ...settings, ...fields });
  const numbers = listOptions(source, (role) => role === 'number');
  const across = listOptions(source, (role) => !NUMERIC.includes(kind) || role !== 'name');
  const names = listOptions(source, () => true);
  return (
    <div className={classes.controls}>
      <Select
        size="xs"
        label="Chart"
        allowDeselect={false}
        data={CHART_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
        value={kind}
        onChange={(value) => change({ kind: CHART_KINDS.find((candidate) => candidate === value) ?? kind })}
      />
      {kind !== 'number' && (
        <Select
          size="xs"
          label="X axis"
          data={across}
          value={toValue(x)}
          onChange={(value) => change({ x: toColumn(value) })}
        />
      )}
      {kind !== 'histogram' && (
        <MultiSelect
          size="xs"
          label={kind === 'number' ? 'Value' : 'Y axis'}
          placeholder={y.length === 0 ? 'number of rows' : ''}
          data={numbers}
          value={y.map(String)}
          maxValues={kind === 'number' ? 1 : MAX_SERIES}
          onChange={(values) => change({ y: values.map(Number) })}
        />
      )}
      {kind !== 'number' && kind !== 'histogram' && (
        <Select
          size="xs"
          label="Series"
          placeholder="none"
          clearable
          data={names}
          value={toValue(series)}
          onChange={(value) => change({ series: toColumn(value) })}
        />
      )}
      <TextInput
        size="xs"
        label="Title"
        value={title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
    </div>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The columns with a role that fits; columns without a unique name get their number. */
function listOptions({ columns }: ResultSource, fits: (role: ColumnRole) => boolean): Option[] {
  const seen = new Set<string>();
  return columns.flatMap((column, index) => {
    const role = roleOf(column);
    if (role === null || !fits(role)) return [];
    const isUnique = column.name !== '' && !seen.has(column.name);
    seen.add(column.name);
    return {
      value: String(index),
      label: isUnique ? column.name : `${column.name} (column ${index + 1})`.trim(),
    };
  });
}

function toValue(column: number | null): string | null {
  return column === null ? null : String(column);
}

function toColumn(value: string | null): number | null {
  return value === null ? null : Number(value);
}
