import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { StatementRecording } from '../../../api/runs/run.ts';
import { printCount } from '../../catalog/view/print-size.ts';
import { canDraw } from '../../chart/choose-chart.ts';
import { LoadError } from '../../load-error.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { usePart } from '../../use-part.ts';
import { CellValue } from '../cell/cell-value.tsx';
import { rowAt, type ShownRows, useRows } from '../compute/use-rows.ts';
import { countCopied, printCopied, type Shown, writeClipboard } from '../copy/copied-cells.ts';
import { ColumnFacts } from '../grid/column-facts.tsx';
import { FilterForm } from '../grid/filter-form.tsx';
import { addFilter, type GridView, INITIAL_VIEW, orderColumns } from '../grid/grid-view.ts';
import { ResultGrid } from '../grid/result-grid.tsx';
import { type Selection, selectCell } from '../grid/selection.ts';
import { SideContent } from '../side/side-content.tsx';
import type { SidePart } from '../side/side-search.ts';
import { type SideCell, useSide } from '../side/use-side.ts';
import { useSideCell } from '../side/use-side-cell.ts';
import type { LoadedResult } from '../source/result-loader.ts';
import type { ResultSource } from '../source/result-source.ts';
import { useResult } from '../source/use-result.ts';
import { RowsToolbar } from './rows-toolbar.tsx';
import classes from './run.module.css';
import { useDisplay } from './use-display.ts';

interface RowsPanelProps {
  readonly run: string;
  readonly result: StatementRecording;
  /** Whether a person sees the rows, not those of another tab. */
  readonly isShown: boolean;
}

/** The rows of a statement. */
export function RowsPanel({ run, result, isShown }: RowsPanelProps) {
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
        isShown={isShown}
        isLoading={!(source.isComplete || loaded.isFull) && error === null}
      />
      <Foot loaded={loaded} result={result} source={source} />
    </>
  );
}

interface RowsProps extends RowsPanelProps {
  readonly source: ResultSource;
  readonly isLoading: boolean;
}

function Rows({ run, result, source, isLoading, isShown }: RowsProps) {
  const [wanted, setDisplay] = useDisplay();
  const isDrawable = canDraw(source);
  const display = isDrawable ? wanted : 'table';
  const { view, changeView, rows, selection, select, cell, setCell } = useArranged(source);
  const { part, open, close } = useSide();
  const sketching = useSketching(source);
  const shown: Shown = { source, rows, pinned: view.pinned, selection };
  const count = countCopied(shown);
  const openAt = (wantedPart: SidePart, at: SideCell) => {
    setCell(at);
    open(wantedPart, at);
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
        onSketch={isLoading || sketching.isSketched ? null : sketching.start}
        isSideOpen={part !== null}
        onSide={() => (part === null ? openAt(display === 'chart' ? 'chart' : 'value', cell) : close())}
      />
      {rows.error !== null && (
        <div className={classes.notice}>
          <LoadError title="The rows could not be arranged" error={rows.error} onRetry={rows.retry} />
        </div>
      )}
      {display === 'chart' ? (
        <ChartPanel source={source} rows={rows} statement={result.index} isShown={isShown} />
      ) : (
        <ResultGrid
          label={`Rows of statement ${result.index + 1}`}
          {...{ source, rows, isLoading, view, selection }}
          isSketched={sketching.isSketched && !isLoading}
          onSketchFail={sketching.stop}
          onView={changeView}
          onSelect={select}
          onOpen={(row, column) => openAt('value', { row, column })}
          onCopy={() => (selection === null ? null : printCopied(shown, 'TSV', false))}
          columnActions={{
            onFilter: (column) => openAt('filter', { ...cell, column }),
            onSummary: (column) => openAt('summary', { ...cell, column }),
            onCopyName: (column) => void writeClipboard(source.columns[column]?.name ?? '', 'the name'),
          }}
        />
      )}
      {isShown && display === 'table' && <CellSide {...{ source, rows, cell }} onView={changeView} />}
    </>
  );
}

/** The rows up to which headers show the values of their columns without being asked. */
const MAX_SKETCHED = 200_000;

/** Whether headers show how the values of their columns are distributed. */
function useSketching({ rowCount }: ResultSource) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  return {
    isSketched: wanted ?? rowCount <= MAX_SKETCHED,
    start: () => setWanted(true),
    stop: () => setWanted(false),
  };
}

/** How a person has arranged the rows, the selected cells, and the cell that the panel describes. */
function useArranged(source: ResultSource) {
  const [view, setView] = useState<GridView>(INITIAL_VIEW);
  const [cell, setCell] = useSideCell(source);
  const { cell: addressed } = useSide();
  const [selection, setSelection] = useState<Selection | null>(
    addressed === null ? null : selectCell(cell.row, cell.column),
  );
  const { filters, sorting, pinned } = view;
  const rows = useRows(
    source,
    useMemo(() => ({ filters, sorting }), [filters, sorting]),
  );
  return {
    view,
    rows,
    selection,
    cell,
    setCell,
    changeView: (change: (before: GridView) => GridView) => {
      const next = change(view);
      // Other rows are at the selected places.
      if (next.filters !== filters || next.sorting !== sorting || next.pinned !== pinned) setSelection(null);
      setView(change);
    },
    select: (next: Selection) => {
      setSelection(next);
      const { row, column } = next.active;
      const order = orderColumns(source.columns.length, pinned);
      const isRow = row >= 0 && row < rows.count;
      setCell({ row: isRow ? rowAt(rows, row) : cell.row, column: order[column] ?? cell.column });
    },
  };
}

interface CellSideProps {
  readonly source: ResultSource;
  readonly rows: ShownRows;
  readonly cell: SideCell;
  readonly onView: (change: (before: GridView) => GridView) => void;
}

/** What the panel can show about a cell and its column. */
function CellSide({ source, rows, cell: { row, column }, onView }: CellSideProps) {
  const name = source.columns[column]?.name || `column ${column + 1}`;
  return (
    <>
      {source.rowCount > 0 && (
        <SideContent part="value" title={`${name}, row ${row + 1}`}>
          <CellValue source={source} row={row} column={column} />
        </SideContent>
      )}
      <SideContent part="summary" title={`Summary of ${name}`}>
        <ColumnFacts source={source} order={rows.order} column={column} />
      </SideContent>
      <SideContent part="filter" title={`Filter by ${name}`}>
        <FilterForm
          key={column}
          source={source}
          column={column}
          onFilter={(filter) => onView((before) => addFilter(before, filter))}
        />
      </SideContent>
    </>
  );
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
  readonly statement: number;
  readonly isShown: boolean;
}

/** The shown rows as a chart; the code of charts is loaded when the first one is shown. */
function ChartPanel({ source, rows, statement, isShown }: ChartPanelProps) {
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
        <part.ResultChart source={shown} statement={statement} isShown={isShown} />
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
