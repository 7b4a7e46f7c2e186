import { ActionIcon, Button, Group, Loader, Menu, SegmentedControl, Text } from '@mantine/core';
import { use } from 'react';
import { createPortal } from 'react-dom';
import { SHEET_LIMITS } from '../../../../src/engine/result/xlsx/sheet-format.ts';
import { DOWNLOADS, type DownloadName, printDownload } from '../../../api/runs/result-bytes.ts';
import type { StatementRecording } from '../../../api/runs/run.ts';
import { printCount, printCounted } from '../../catalog/view/print-size.ts';
import { ChartIcon, CloseIcon, CopyIcon, DownloadIcon, SideIcon } from '../../icons.tsx';
import { type ColumnFilter, hasOperand } from '../compute/filters.ts';
import type { ShownRows } from '../compute/use-rows.ts';
import { COPY_FORMATS, type CopyFormat } from '../copy/copy-rows.ts';
import type { GridView } from '../grid/grid-view.ts';
import type { ResultColumn, ResultSource } from '../source/result-source.ts';
import { ToolbarContext } from './room-context.ts';
import classes from './run.module.css';
import type { RowsDisplay } from './use-display.ts';

interface RowsToolbarProps {
  readonly run: string;
  readonly result: StatementRecording;
  readonly source: ResultSource;
  readonly rows: ShownRows;
  readonly display: RowsDisplay;
  /** Whether a chart can show some column. */
  readonly canDraw: boolean;
  readonly onDisplay: (display: RowsDisplay) => void;
  readonly view: GridView;
  readonly onView: (change: (view: GridView) => GridView) => void;
  readonly copied: { readonly rows: number; readonly columns: number };
  readonly onCopy: (format: CopyFormat, withHeader: boolean) => void;
  /** Shows charts in the headers of the columns; null if they are shown. */
  readonly onSketch: (() => void) | null;
  /** Whether the panel with details is open, and what opens or closes it. */
  readonly isSideOpen: boolean;
  readonly onSide: () => void;
}

const DISPLAYS: { value: RowsDisplay; label: string }[] = [
  { value: 'table', label: 'Table' },
  { value: 'chart', label: 'Chart' },
];

/** The size of a result, its filters, and what can be done with it: in the row of the run's state, or in one below. */
export function RowsToolbar(props: RowsToolbarProps) {
  const place = use(ToolbarContext);
  if (place === undefined) return <Tools {...props} />;
  return place === null ? null : createPortal(<Tools {...props} />, place);
}

function Tools(props: RowsToolbarProps) {
  const { run, result, source, rows, display, canDraw, onDisplay, view, onView, copied, onCopy } = props;
  const { onSketch, isSideOpen, onSide } = props;
  const side = display === 'chart' ? 'Change chart' : 'Details';
  return (
    <Group className={classes.toolbar} gap="sm" justify="space-between">
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          transitionDuration={0}
          aria-label="Show the rows as"
          data={DISPLAYS.map((option) => ({ ...option, disabled: option.value === 'chart' && !canDraw }))}
          value={display}
          onChange={(value) => onDisplay(value === 'chart' ? 'chart' : 'table')}
        />
        <Text size="sm" className={classes.figures} role="status">
          {printSizes(source, view.filters.length === 0 ? null : rows, result)}
          <span className={classes.width}> · {printCounted(source.columns.length, 'column')}</span>
        </Text>
        {rows.isBusy && <Loader size={14} aria-label="Arranging the rows" />}
        {view.filters.length > 0 && (
          <FilterChips
            filters={view.filters}
            columns={source.columns}
            onRemove={(filter) =>
              onView((before) => ({ ...before, filters: before.filters.filter((other) => other !== filter) }))
            }
          />
        )}
      </Group>
      <Group gap={6} wrap="nowrap" flex="none">
        {display === 'table' && onSketch !== null && (
          <Button {...toTool('Show column charts')} leftSection={<ChartIcon size={16} />} onClick={onSketch}>
            Show column charts
          </Button>
        )}
        <Button
          {...toTool(side)}
          leftSection={<SideIcon size={16} />}
          aria-expanded={isSideOpen}
          onClick={onSide}
        >
          {side}
        </Button>
        {display === 'table' && <CopyMenu {...copied} onCopy={onCopy} />}
        <DownloadMenu run={run} result={result} columns={source.columns.length} />
      </Group>
    </Group>
  );
}

/** The properties of a button that has no text where there is little room. */
function toTool(name: string, title = name) {
  return {
    size: 'compact-sm',
    variant: 'default',
    className: classes.tool,
    'aria-label': name,
    title,
  } as const;
}

/** The rows: those that meet the filters, those that the browser has, and those that the server has. */
function printSizes(
  { rowCount }: ResultSource,
  filtered: ShownRows | null,
  result: StatementRecording,
): string {
  const stored = Math.max(rowCount, result.rows ?? 0);
  const parts = [
    ...(filtered === null ? [] : [printCount(filtered.count)]),
    ...(stored === rowCount ? [] : [printCount(rowCount)]),
    printCounted(stored, 'row'),
  ];
  return `${parts.join(' of ')}${result.is_complete ? '' : ' so far'}`;
}

interface DownloadMenuProps {
  readonly run: string;
  readonly result: StatementRecording;
  /** The number of its columns. */
  readonly columns: number;
}

const NAMES = Object.keys(DOWNLOADS) as readonly DownloadName[];

/** Downloads the whole result as a file; nothing runs again. */
function DownloadMenu({ run, result, columns }: DownloadMenuProps) {
  const isReady = result.is_complete;
  const refusal = findSheetRefusal(result.rows ?? 0, columns);
  return (
    <Menu position="bottom-end" shadow="md" width={220}>
      <Menu.Target>
        <Button
          {...toTool('Download', isReady ? undefined : 'The statement is still running')}
          leftSection={<DownloadIcon size={16} />}
          disabled={!isReady}
        >
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>The whole result as</Menu.Label>
        {NAMES.map((name) =>
          name === 'XLSX' && refusal !== null ? (
            <Menu.Item key={name} disabled>
              XLSX
              <Text size="xs">{refusal}</Text>
            </Menu.Item>
          ) : (
            <Menu.Item key={name} component="a" href={printDownload(run, result.index, name)} download>
              {name}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Why a sheet cannot hold a result of this size; null if it can. */
function findSheetRefusal(rows: number, columns: number): string | null {
  // The names of the columns are a row.
  const most = SHEET_LIMITS.rows - 1;
  if (rows > most) return `A sheet has at most ${printCount(most)} rows`;
  return columns > SHEET_LIMITS.columns
    ? `A sheet has at most ${printCount(SHEET_LIMITS.columns)} columns`
    : null;
}

interface FilterChipsProps {
  readonly filters: readonly ColumnFilter[];
  readonly columns: readonly ResultColumn[];
  readonly onRemove: (filter: ColumnFilter) => void;
}

/** The conditions that the shown rows meet. */
function FilterChips({ filters, columns, onRemove }: FilterChipsProps) {
  return (
    <Group gap={6} role="group" aria-label="Filters">
      {filters.map((filter) => {
        const text = printFilter(filter, columns);
        return (
          <span key={`${filter.column} ${filter.operator}`} className={classes.chip}>
            <span className={classes.chipText}>{text}</span>
            <ActionIcon
              size={20}
              variant="transparent"
              color="inherit"
              aria-label={`Remove the filter ${text}`}
              onClick={() => onRemove(filter)}
            >
              <CloseIcon size={14} />
            </ActionIcon>
          </span>
        );
      })}
    </Group>
  );
}

function printFilter({ column, operator, operand }: ColumnFilter, columns: readonly ResultColumn[]): string {
  const name = columns[column]?.name || `column ${column + 1}`;
  return hasOperand(operator) ? `${name} ${operator} ${operand}` : `${name} ${operator}`;
}

interface CopyMenuProps {
  /** The number of rows and columns that would be copied. */
  readonly rows: number;
  readonly columns: number;
  readonly onCopy: (format: CopyFormat, withHeader: boolean) => void;
}

/** The formats that exist with and without a header. */
const WITHOUT_HEADER: readonly CopyFormat[] = ['TSV', 'CSV'];

/** Copies cells in a format. */
function CopyMenu({ rows, columns, onCopy }: CopyMenuProps) {
  return (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <Button {...toTool('Copy')} leftSection={<CopyIcon size={16} />} disabled={columns === 0}>
          Copy
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {printCounted(rows, 'row')}, {printCounted(columns, 'column')}
        </Menu.Label>
        {COPY_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => onCopy(format, true)}>
            {WITHOUT_HEADER.includes(format) ? `${format} with a header` : format}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {WITHOUT_HEADER.map((format) => (
          <Menu.Item key={format} onClick={() => onCopy(format, false)}>
            {format} without a header
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
