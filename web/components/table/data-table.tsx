import { Button, Checkbox, Group, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { ErrorAlert } from '../error-alert.tsx';
import { SearchIcon, SortDownIcon, SortUpIcon } from '../icons.tsx';
import { LoadError } from '../load-error.tsx';
import { Message } from '../message-page.tsx';
import { SkeletonRows } from '../skeleton-rows.tsx';
import classes from './data-table.module.css';
import { SearchField } from './search-field.tsx';
import type { List } from './use-list.ts';
import { type SelectedRows, useSelection, type WholeList } from './use-selection.ts';

/** A column; the first one names the row with a link that opens it. */
export interface ListColumn<Row> {
  readonly header: string;
  readonly render: (row: Row) => ReactNode;
  /** The value of `sort` with which the server sorts by this column, upwards; absent if it does not. */
  readonly sort?: string;
  /** In pixels; columns without a width share what is left. */
  readonly width?: number;
  /** Whether a table without much room leaves it out. */
  readonly isExtra?: boolean;
}

/** What a list shows, in the address. */
interface ListSearch {
  readonly q?: string | undefined;
  /** A column's `sort`; with a minus in front, downwards. */
  readonly sort?: string | undefined;
}

interface DataTableProps<Row> {
  /** The name of the list, such as “Users”. */
  readonly label: string;
  /** One row and several, in a sentence. */
  readonly unit: readonly [one: string, several: string];
  readonly columns: readonly ListColumn<Row>[];
  readonly list: List<Row>;
  readonly toId: (row: Row) => string;
  /** The name of a row for screen readers; absent if it is the id. */
  readonly toName?: (row: Row) => string;
  /** The row that a panel shows. */
  readonly openId?: string | undefined;
  /** Opens another row; called for arrow keys while a row is open. */
  readonly onOpen?: (id: string) => void;
  /** Absent for a short list, which is neither searched nor sorted. */
  readonly search?: ListSearch;
  readonly onSearch?: (change: ListSearch) => void;
  /** The fields of the filters. */
  readonly filters?: ReactNode;
  /** Whether a filter is set. */
  readonly isFiltered?: boolean;
  /** Removes the text and the filters. */
  readonly onClear?: () => void;
  /** The message if there are no rows at all; absent for a list that always has rows. */
  readonly empty?: ReactNode;
  /** The menu of a row, at its end. */
  readonly renderMenu?: (row: Row) => ReactNode;
  /** If rows can be selected: the actions for the selected ones. */
  readonly renderActions?: (selection: Selection) => ReactNode;
  /** If rows that are not loaded can be selected, too. */
  readonly whole?: WholeList;
}

/** The selected rows. */
interface Selection {
  readonly ids: readonly string[];
  readonly clear: () => void;
}

/**
 * A list that the server searches, sorts and pages, with only the visible rows drawn: a table, or cards where it is narrow.
 * The page keeps the search in its address. Arrow keys move between the rows, and open the next one while one is open.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, unit, list, search, filters, isFiltered = false, onClear, empty } = props;
  const [, several] = unit;
  const { rows, total, error, retry } = list;
  const selection = useSelection(rows?.map((row) => props.toId(row)) ?? [], props.whole);
  const { ids } = selection;
  const isSearched = isFiltered || search?.q !== undefined;
  const isEmpty = rows?.length === 0;
  const box = useRef<HTMLDivElement>(null);
  const onSearch = (change: ListSearch) => {
    // Another order or search is shown from its first row.
    box.current?.scrollTo({ top: 0 });
    props.onSearch?.(change);
  };
  if (isEmpty && !isSearched) return <div className={classes.message}>{empty}</div>;
  return (
    <div className={classes.list}>
      {search !== undefined && (
        <Group className={classes.toolbar} gap="sm" align="flex-end">
          <SearchField
            label={`Search ${several}`}
            value={search.q}
            onSearch={(q) => onSearch({ q })}
            className={classes.search}
          />
          {filters !== undefined && <div className={classes.filters}>{filters}</div>}
          <Text size="sm" c="dimmed" className={classes.total} role="status">
            {rows === undefined || total === undefined ? '' : printTotal(total, unit)}
          </Text>
        </Group>
      )}
      {ids.length > 0 && (
        <Group className={classes.selection} gap="sm" role="region" aria-label={`Selected ${several}`}>
          <Text size="sm">{printTotal(ids.length, unit)} selected</Text>
          {props.whole !== undefined && total !== undefined && ids.length < total && (
            <SelectAll count={printTotal(total, unit)} whole={props.whole} onDone={selection.selectWhole} />
          )}
          <Button size="xs" variant="subtle" onClick={selection.clear}>
            Clear the selection
          </Button>
          {props.renderActions?.({ ids, clear: selection.clear })}
        </Group>
      )}
      {rows === undefined && error !== null && (
        <div className={classes.message}>
          <LoadError title={`${label} cannot be shown`} error={error} onRetry={retry} />
        </div>
      )}
      {rows !== undefined && error !== null && (
        <div className={classes.message}>
          <ErrorAlert title={`Not all ${several} could be loaded`} error={error} onRetry={retry} />
        </div>
      )}
      {rows === undefined && error === null && (
        <div className={classes.message}>
          <SkeletonRows label={`Loading ${several}`} count={6} height={36} />
        </div>
      )}
      {isEmpty && (
        <div className={classes.message}>
          <Message icon={<SearchIcon size={24} />} title="Nothing found" text="No row meets all conditions.">
            <Button variant="default" onClick={onClear}>
              Clear the search
            </Button>
          </Message>
        </div>
      )}
      {rows !== undefined && !isEmpty && <Rows {...props} {...{ box, onSearch, rows, selection }} />}
    </div>
  );
}

interface SelectAllProps {
  /** All rows, in words. */
  readonly count: string;
  readonly whole: WholeList;
  readonly onDone: (ids: readonly string[]) => void;
}

/** Selects the rows that are not loaded, too. */
function SelectAll({ count, whole, onDone }: SelectAllProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: whole.loadIds, onSuccess: onDone });
  return (
    <>
      <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
        Select all {count}
      </Button>
      {error !== null && (
        <Text size="sm" role="alert">
          {error.message}
        </Text>
      )}
    </>
  );
}

function printTotal(total: number, [one, several]: readonly [string, string]): string {
  return `${total.toLocaleString()} ${total === 1 ? one : several}`;
}

/** The usual heights of a row and of a card, in pixels; each is measured when it is drawn. */
const [ROW_HEIGHT, CARD_HEIGHT] = [44, 132];
/** How many rows before the end the next ones are loaded. */
const AHEAD = 20;

interface ShownRowsProps<Row> extends DataTableProps<Row> {
  readonly rows: readonly Row[];
  readonly selection: SelectedRows;
  /** The element that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
}

function Rows<Row>(props: ShownRowsProps<Row>) {
  const { label, rows, list, toId, openId, onOpen, box } = props;
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => (isWide ? ROW_HEIGHT : CARD_HEIGHT),
    overscan: 12,
    scrollPaddingStart: ROW_HEIGHT,
  });
  const drawn = virtual.getVirtualItems();
  const isNearEnd = (drawn.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) list.loadMore();
  });
  useReturnOfFocus(box, openId);

  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const index = rows.findIndex((row) => isFocused(box.current, toId(row)));
    const next = rows[index + (step ?? 0)];
    if (step === undefined || index === -1 || next === undefined) return;
    event.preventDefault();
    virtual.scrollToIndex(index + step);
    // A row that is not drawn yet is drawn after the scrolling.
    const link = findLink(box.current, toId(next));
    if (link) link.focus();
    else requestAnimationFrame(() => findLink(box.current, toId(next))?.focus());
    if (openId !== undefined) onOpen?.(toId(next));
  };

  const spaces = { before: drawn[0]?.start ?? 0, after: virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0) };
  const visible = drawn.flatMap(({ index }) => {
    const row = rows[index];
    return row === undefined ? [] : [{ row, index, id: toId(row) }];
  });
  const parts = { ...props, visible, spaces, measure: virtual.measureElement };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links in it
    <div ref={box} className={classes.box} onKeyDown={move}>
      {isWide ? <TableRows {...parts} /> : <Cards {...parts} label={label} />}
    </div>
  );
}

/** The link of a row, which names it. */
function findLink(box: HTMLElement | null, id: string): HTMLElement | null | undefined {
  return box?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] a`);
}

function isFocused(box: HTMLElement | null, id: string): boolean {
  return findLink(box, id)?.contains(document.activeElement) === true;
}

/** After a panel is closed, the focus returns to the row that it has shown. */
function useReturnOfFocus(box: { readonly current: HTMLElement | null }, openId: string | undefined): void {
  const before = useRef(openId);
  useLayoutEffect(() => {
    if (openId === undefined && before.current !== undefined) findLink(box.current, before.current)?.focus();
    before.current = openId;
  }, [openId, box]);
}

interface RowsProps<Row> extends ShownRowsProps<Row> {
  readonly visible: readonly { readonly row: Row; readonly index: number; readonly id: string }[];
  /** The heights of the rows that are not drawn. */
  readonly spaces: { readonly before: number; readonly after: number };
  readonly measure: (element: Element | null) => void;
}

function TableRows<Row>(props: RowsProps<Row>) {
  const { label, columns, list, visible, spaces, measure, openId } = props;
  return (
    <table
      className={classes.table}
      aria-label={label}
      aria-rowcount={list.total === undefined ? -1 : list.total + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          {props.renderActions !== undefined && (
            <th scope="col" className={classes.check}>
              <SelectLoaded selection={props.selection} several={props.unit[1]} />
            </th>
          )}
          {columns.map((column) => (
            <HeaderCell key={column.header} {...props} column={column} />
          ))}
          {props.renderMenu !== undefined && <th scope="col" className={classes.menu} aria-label="Actions" />}
        </tr>
      </thead>
      <tbody>
        {spaces.before > 0 && <tr style={{ height: spaces.before }} />}
        {visible.map(({ row, index, id }) => (
          <tr
            key={id}
            ref={measure}
            data-index={index}
            data-row={id}
            aria-rowindex={index + 2}
            className={classes.row}
            aria-current={id === openId || undefined}
          >
            {props.renderActions !== undefined && (
              <td className={classes.check}>
                <SelectBox {...props} id={id} name={props.toName?.(row) ?? id} />
              </td>
            )}
            {columns.map(({ header, render, isExtra }, column) => (
              <td key={header} className={column === 0 ? classes.name : isExtra ? classes.extra : undefined}>
                {render(row)}
              </td>
            ))}
            {props.renderMenu !== undefined && <td className={classes.menu}>{props.renderMenu(row)}</td>}
          </tr>
        ))}
        {spaces.after > 0 && <tr style={{ height: spaces.after }} />}
      </tbody>
    </table>
  );
}

function HeaderCell<Row>({
  column: { header, sort, width, isExtra },
  search = {},
  onSearch,
}: DataTableProps<Row> & { readonly column: ListColumn<Row> }) {
  const cell = { scope: 'col', style: { width }, className: isExtra ? classes.extra : undefined };
  if (sort === undefined) {
    return <th {...cell}>{header}</th>;
  }
  const direction = search.sort === sort ? 'ascending' : search.sort === `-${sort}` ? 'descending' : 'none';
  return (
    <th {...cell} aria-sort={direction}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => onSearch?.({ sort: direction === 'ascending' ? `-${sort}` : sort })}
      >
        {header}
        {direction === 'ascending' && <SortUpIcon size={14} />}
        {direction === 'descending' && <SortDownIcon size={14} />}
      </UnstyledButton>
    </th>
  );
}

interface SelectBoxProps extends Pick<RowsProps<unknown>, 'selection'> {
  readonly id: string;
  readonly name: string;
}

function SelectBox({ id, name, selection: { selected, toggle } }: SelectBoxProps) {
  return (
    <Checkbox
      size="xs"
      aria-label={`Select ${name}`}
      checked={selected.has(id)}
      onChange={() => toggle(id)}
    />
  );
}

interface SelectLoadedProps extends Pick<RowsProps<unknown>, 'selection'> {
  /** The name of several rows. */
  readonly several: string;
}

/** The box in the header: selects all loaded rows, or none. */
function SelectLoaded({
  selection: { ids, isLoadedSelected, selectLoaded, clear },
  several,
}: SelectLoadedProps) {
  return (
    <Checkbox
      size="xs"
      aria-label={`Select the ${several} in the list`}
      checked={isLoadedSelected}
      indeterminate={ids.length > 0 && !isLoadedSelected}
      onChange={isLoadedSelected ? clear : selectLoaded}
    />
  );
}

function Cards<Row>(props: RowsProps<Row>) {
  const { label, columns, visible, spaces, measure, openId } = props;
  const [name, ...others] = columns;
  return (
    <ul className={classes.cards} aria-label={label}>
      {spaces.before > 0 && <li aria-hidden="true" style={{ height: spaces.before }} />}
      {visible.map(({ row, index, id }) => (
        <li
          key={id}
          ref={measure}
          data-index={index}
          data-row={id}
          className={classes.card}
          aria-current={id === openId || undefined}
        >
          <Group gap="sm" wrap="nowrap">
            {props.renderActions !== undefined && (
              <SelectBox {...props} id={id} name={props.toName?.(row) ?? id} />
            )}
            <div className={`${classes.grow} ${classes.name}`}>{name?.render(row)}</div>
            {props.renderMenu?.(row)}
          </Group>
          <dl className={classes.facts}>
            {others.map(({ header, render }) => (
              <div key={header}>
                <dt>{header}</dt>
                <dd>{render(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
      {spaces.after > 0 && <li aria-hidden="true" style={{ height: spaces.after }} />}
    </ul>
  );
}
