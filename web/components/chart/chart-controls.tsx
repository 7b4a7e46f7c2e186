import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import type { ResultSource } from '../results/source/result-source.ts';
import classes from './chart.module.css';
import {
  type BarOrder,
  CHART_KINDS,
  type ChartKind,
  type ChartSettings,
  COMBINATIONS,
  type Combination,
  KIND_LABELS,
  LAYOUTS,
  mayBeLog,
  ORDERS,
  type SeriesLayout,
} from './chart-settings.ts';
import { MAX_SERIES } from './choose-chart.ts';
import { type ColumnRole, roleOf } from './column-role.ts';
import { findCombination, findLayout } from './read-points.ts';

/** The kinds whose horizontal axis has no names. */
const NUMERIC: readonly ChartKind[] = ['scatter', 'histogram'];

interface ChartControlsProps {
  readonly source: ResultSource;
  readonly settings: ChartSettings;
  readonly onChange: (settings: ChartSettings) => void;
  /** Returns to the first choice; null if it is shown. */
  readonly onReset: (() => void) | null;
}

/** The choice of the kind, the columns and the look of a chart. */
export function ChartControls({ source, settings, onChange, onReset }: ChartControlsProps) {
  const { kind, title } = settings;
  const change = (fields: Partial<ChartSettings>) => onChange({ ...settings, ...fields });
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
      <ColumnControls source={source} settings={settings} onChange={change} />
      <LookControls source={source} settings={settings} onChange={change} />
      <TextInput
        size="xs"
        label="Title"
        maxLength={200}
        value={title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      {onReset !== null && (
        <Button size="xs" variant="default" onClick={onReset}>
          Reset the chart
        </Button>
      )}
    </div>
  );
}

interface PartProps {
  readonly source: ResultSource;
  readonly settings: ChartSettings;
  readonly onChange: (fields: Partial<ChartSettings>) => void;
}

/** The columns of the axes and of the series. */
function ColumnControls({ source, settings, onChange }: PartProps) {
  const { kind, x, y, series } = settings;
  const numbers = listOptions(source, (role) => role === 'number');
  const across = listOptions(source, (role) => !NUMERIC.includes(kind) || role !== 'name');
  return (
    <>
      {kind !== 'number' && (
        <Select
          size="xs"
          label="X axis"
          data={across}
          value={toValue(x)}
          onChange={(value) => onChange({ x: toColumn(value) })}
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
          onChange={(values) => onChange({ y: values.map(Number) })}
        />
      )}
      {kind !== 'number' && kind !== 'histogram' && (
        <Select
          size="xs"
          label="Series"
          placeholder="none"
          clearable
          data={listOptions(source, () => true)}
          value={toValue(series)}
          onChange={(value) => onChange({ series: toColumn(value) })}
        />
      )}
    </>
  );
}

const ORDER_LABELS: Readonly<Record<BarOrder, string>> = {
  rows: 'As the rows',
  value: 'By value',
  name: 'By name',
};

const LAYOUT_LABELS: Readonly<Record<SeriesLayout, string>> = {
  stacked: 'Stacked',
  grouped: 'Side by side',
  percent: '100% stacked',
};

const COMBINATION_LABELS: Readonly<Record<Combination, string>> = { sum: 'Sum', mean: 'Mean' };

/** How the values are ordered, combined and scaled. */
function LookControls({ source, settings, onChange }: PartProps) {
  const { kind, y, series, order, layout, combination, isLog } = settings;
  const isFilled = kind === 'bar' || kind === 'area';
  const hasSeries = series !== null || y.length > 1;
  const layouts = LAYOUTS.filter((value) => !isLog || kind === 'area' || value === 'grouped');
  return (
    <>
      {kind === 'bar' && (
        <Choice
          label="Order"
          values={ORDERS}
          labels={ORDER_LABELS}
          value={order}
          onChange={(value) => onChange({ order: value })}
        />
      )}
      {isFilled && hasSeries && (
        <Choice
          label="Several series"
          values={layouts}
          labels={LAYOUT_LABELS}
          value={isLog && kind === 'bar' ? 'grouped' : (layout ?? findLayout(source, settings))}
          onChange={(value) => onChange({ layout: value })}
        />
      )}
      {(isFilled || kind === 'line') && y.length > 0 && (
        <Choice
          label="Several rows"
          values={COMBINATIONS}
          labels={COMBINATION_LABELS}
          value={combination ?? findCombination(source, settings)}
          onChange={(value) => onChange({ combination: value })}
        />
      )}
      {mayBeLog(kind) && (
        <Switch
          size="sm"
          label="Logarithmic axis"
          checked={isLog}
          onChange={(event) => onChange({ isLog: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly labels: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, values, labels, value, onChange }: ChoiceProps<Value>) {
  return (
    <Select
      size="xs"
      label={label}
      allowDeselect={false}
      data={values.map((each) => ({ value: each, label: labels[each] }))}
      value={value}
      onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? value)}
    />
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
