import { useState } from 'react';
import type { ColumnMenuActions } from '../grid/column-menu.tsx';
import { orderColumns } from '../grid/grid-view.ts';
import { ResultGrid } from '../grid/result-grid.tsx';
import { SummaryPanel } from '../grid/summary-panel.tsx';
import type { ResultGridProps } from '../grid/use-grid.ts';
import classes from './run.module.css';
import { useFocusBack } from './use-focus-back.ts';

type GridPaneProps = Omit<ResultGridProps, 'columnActions'> & {
  readonly columnActions: Omit<ColumnMenuActions, 'onSummary'>;
};

/** The grid, and next to it the summary of a column: once open, it follows the active cell. */
export function GridPane({ columnActions, onSelect, ...grid }: GridPaneProps) {
  const [column, setColumn] = useState<number | null>(null);
  const { source, rows, view } = grid;
  return (
    <div className={classes.beside}>
      <ResultGrid
        {...grid}
        onSelect={(selection) => {
          onSelect(selection);
          if (column === null) return;
          const order = orderColumns(source.columns.length, view.pinned);
          setColumn(order[selection.active.column] ?? column);
        }}
        columnActions={{ ...columnActions, onSummary: setColumn }}
      />
      {column !== null && (
        <Summary source={source} order={rows.order} column={column} onClose={() => setColumn(null)} />
      )}
    </div>
  );
}

/** The summary; the grid has the focus again afterwards. */
function Summary(props: Parameters<typeof SummaryPanel>[0]) {
  useFocusBack();
  return <SummaryPanel {...props} />;
}
