import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { StatementRecording } from '../../../api/runs/run.ts';
import { printCount } from '../../catalog/view/print-size.ts';
import { canDraw } from '../../chart/choose-chart.ts';
import { LoadError } from '../../load-error.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { usePart } from '../../use-part.ts';
import { CellViewer } from '../cell/cell-viewer.tsx';
import { rowAt, type ShownRows, useRows } from '../compute/use-rows.ts';
import { countCopied, printCopied, type Shown, writeClipboard } from '../copy/copied-cells.ts';
import { FilterDialog } from '../grid/filter-dialog.tsx';
import { addFilter, type GridView, INITIAL_VIEW, orderColumns } from '../grid/grid-view.ts';
import type { Selection } from '../grid/selection.ts';
import type { LoadedResult } from '../source/result-loader.ts';
import type { ResultSource } from '../source/result-source.ts';
import { useResult } from '../source/use-result.ts';
import { GridPane } from './grid-pane.tsx';
import { RowsToolbar } from './rows-toolbar.tsx';
import classes from './run.module.css';
import { useDisplay } from './use-display.ts';
import { useFocusBack } from './use-focus-back.ts';

interface RowsPanelProps {
  readonly run: string;
  readonly result: StatementRecording;
}

/** The rows of a statement. */
export function RowsPanel({ run, result }: RowsPanelProps) {
  const loaded = useResult(run, result.index);
  const { source, error } = loaded;
  if (source === null) {
    return (
      <div className={classes.notice}>
        {error === null ? (
          <SkeletonRows label="Loading the rows" count={6} height={28} />
        ) : (
          <LoadError title="The rows cannot be shown" error={error} onRetry={loaded.retry} />
        )}
      </div>
    );
  }
  return (
    <>
      <Rows
        run={run}
        result={result}
        source={source}
        isLoading={!(source.isComplete || loaded.isFull) && error === null}
      />
      <Foot loaded={loaded} result={result} source={source} />
    </>
  );
}

/** The dialog that is open. */
type Opened =
  | { readonly kind: 'cell'; readonly row: number; readonly column: number }
  | { readonly kind: 'filter'; readonly column: number };

interface RowsProps extends RowsPanelProps {
  readonly source: ResultSource;
  readonly isLoading: boolean;
}

function Rows({ run, result, source, isLoading }: RowsProps) {
  const [wanted, setDisplay] = useDisplay();
  const isDrawable = canDraw(source);
  const display = isDrawable ? wanted : 'table';
  const [view, setView] = useState<GridView>(INITIAL_VIEW);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const { filters, sorting, pinned } = view;
  const rows = useRows(
    source,
    useMemo(() => ({ filters, sorting }), [filters, sorting]),
  );
  const shown: Shown = { source, rows, pinned, selection };
  const count = countCopied(shown);
  const active = selection?.active;
  const canOpen = active !== undefined && active.row >= 0 && active.row < rows.count;
  const changeView = (change: (before: GridView) => GridView) => {
    const next = change(view);
    // Other rows are at the selected places.
    if (next.filters !== filters || next.sorting !== sorting || next.pinned !== pinned) setSelection(null);
    setView(change);
  };
  return (
    <>
      <RowsToolbar
        {...{ run, result, source, rows, display, view }}
        canDraw={isDrawable}
        onDisplay={setDisplay}
        onView={changeView}
        copied={count}
        onCopy={(format, withHeader) => {
          const text = printCopied(shown, format, withHeader);
          if (text !== null)
            void writeClipboard(text, `${printCount(count.rows * count.columns)} cells as ${format}`);
        }}
        onOpen={
          canOpen
            ? () => {
                const order = orderColumns(source.columns.length, pinned);
                setOpened({ kind: 'cell', row: rowAt(rows, active.row), column: order[active.column] ?? 0 });
              }
            : null
        }
      />
      {rows.error !== null && (
        <div className={classes.notice}>
          <LoadError title="The rows could not be arranged" error={rows.error} onRetry={rows.retry} />
        </div>
      )}
      {display === 'chart' ? (
        <ChartPanel source={source} rows={rows} />
      ) : (
        <GridPane
          label={`Rows of statement ${result.index + 1}`}
          {...{ source, rows, isLoading, view, selection }}
          onView={changeView}
          onSelect={setSelection}
          onOpen={(row, column) => setOpened({ kind: 'cell', row, column })}
          onCopy={() => (selection === null ? null : printCopied(shown, 'TSV', false))}
          columnActions={{
            onFilter: (column) => setOpened({ kind: 'filter', column }),
            onCopyName: (column) => void writeClipboard(source.columns[column]?.name ?? '', 'the name'),
          }}
        />
      )}
      {opened !== null && (
        <OpenedDialog
          {...{ opened, source }}
          onFilter={(filter) => changeView((before) => addFilter(before, filter))}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

interface OpenedDialogProps {
  readonly opened: Opened;
  readonly source: ResultSource;
  readonly onFilter: Parameters<typeof FilterDialog>[0]['onFilter'];
  readonly onClose: () => void;
}

function OpenedDialog({ opened, source, onFilter, onClose }: OpenedDialogProps) {
  useFocusBack();
  switch (opened.kind) {
    case 'cell':
      return <CellViewer source={source} row={opened.row} column={opened.column} onClose={onClose} />;
    case 'filter':
      return <FilterDialog source={source} column={opened.column} onFilter={onFilter} onClose={onClose} />;
  }
}

interface FootProps {
  readonly loaded: LoadedResult;
  readonly result: StatementRecording;
  readonly source: ResultSource;
}

/** Why not all rows are shown. */
function Foot({ loaded: { isFull, error, retry }, result, source }: FootProps) {
  if (error !== null) {
    return (
      <div className={classes.notice}>
        <LoadError title="Further rows cannot be shown" error={error} onRetry={retry} />
      </div>
    );
  }
  if (isFull) {
    return (
      <Text className={classes.foot} role="note">
        The first {printCount(source.rowCount)} rows are shown: more would use too much memory in the browser.
        Download the result to get all rows.
      </Text>
    );
  }
  if (!result.is_truncated) return null;
  return (
    <Text className={classes.foot} role="note">
      Rows are missing: the statement did not end, or its result is larger than what the server stores.
    </Text>
  );
}

const loadChart = () => import('../../chart/result-chart.tsx');

interface ChartPanelProps {
  readonly source: ResultSource;
  readonly rows: ShownRows;
}

/** The shown rows as a chart; the code of charts is loaded when the first one is shown. */
function ChartPanel({ source, rows }: ChartPanelProps) {
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
