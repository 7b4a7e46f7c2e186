import { Menu } from '@mantine/core';
import classes from './grid.module.css';
import { type GridView, togglePin } from './grid-view.ts';

/** What the menu of a column opens. */
export interface ColumnMenuActions {
  readonly onFilter: (column: number) => void;
  readonly onSummary: (column: number) => void;
  readonly onCopyName: (column: number) => void;
}

interface ColumnMenuProps {
  readonly column: number;
  readonly name: string;
  /** The place of the lower left corner of the column's header in the grid, in pixels. */
  readonly left: number;
  readonly top: number;
  readonly view: GridView;
  readonly onView: (change: (view: GridView) => GridView) => void;
  readonly onFit: (column: number) => void;
  readonly actions: ColumnMenuActions;
  readonly onClose: () => void;
}

const CLICKS = ['mousedown', 'touchstart'];

/** The menu of a column, below its header. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { column, name, left, top, view, onView, onFit, actions, onClose } = props;
  const isPinned = view.pinned.includes(column);
  const isFiltered = view.filters.some((filter) => filter.column === column);
  const sort = (isDescending: boolean) =>
    onView((before) => ({ ...before, sorting: { column, isDescending } }));
  return (
    <Menu
      opened
      position="bottom-start"
      width={220}
      onClose={onClose}
      returnFocus={false}
      shadow="md"
      // The key that opens the menu must not close it.
      clickOutsideEvents={CLICKS}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.anchor}
          aria-label={`Menu of the column ${name}`}
          style={{ left, top }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name === '' ? 'Column without a name' : name}</Menu.Label>
        <Menu.Item onClick={() => sort(false)}>Sort ascending</Menu.Item>
        <Menu.Item onClick={() => sort(true)}>Sort descending</Menu.Item>
        {view.sorting?.column === column && (
          <Menu.Item onClick={() => onView((before) => ({ ...before, sorting: null }))}>
            Do not sort
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item onClick={() => actions.onFilter(column)}>Filter…</Menu.Item>
        {isFiltered && (
          <Menu.Item
            onClick={() =>
              onView((before) => ({
                ...before,
                filters: before.filters.filter((filter) => filter.column !== column),
              }))
            }
          >
            Remove the filters
          </Menu.Item>
        )}
        <Menu.Item onClick={() => actions.onSummary(column)}>Summary</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => onView((before) => togglePin(before, column))}>
          {isPinned ? 'Unpin' : 'Pin to the left'}
        </Menu.Item>
        <Menu.Item onClick={() => onFit(column)}>Fit the width</Menu.Item>
        <Menu.Item onClick={() => actions.onCopyName(column)}>Copy the name</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
