import { ActionIcon, Menu } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Store, useStore } from '../../../api/store.ts';
import type { TableInfo } from '../../../language/completion/context.ts';
import { ItemName } from '../../catalog/item/item-name.tsx';
import treeClasses from '../../catalog/tree/tree.module.css';
import { ChevronIcon, DatabaseIcon, MoreIcon, TableIcon } from '../../icons.tsx';
import type { TablesView } from '../workspace/run-target.ts';
import { findRowAction, listTableRows, type TableRow } from './table-rows.ts';
import classes from './tables.module.css';
import type { TableActions } from './use-table-actions.ts';

/** The height of a row, and the indentation of a level, in pixels. */
const [ROW_HEIGHT, INDENT] = [32, 16];

interface TableTreeProps {
  readonly view: Store<TablesView>;
  readonly tables: readonly TableInfo[];
  readonly actions: TableActions;
  /** Whether the text cannot be changed: a click on a name then opens or closes it. */
  readonly isReadOnly: boolean;
}

/**
 * Tables with their columns (WAI-ARIA tree pattern); only visible rows are drawn. A click on a name, or Enter, inserts it;
 * a right click, or the menu key, opens the menu of a table.
 */
export function TableTree({ view, tables, actions, isReadOnly }: TableTreeProps) {
  const tree = useRef<HTMLDivElement>(null);
  const id = useId();
  const { rows, toggle } = useRows(view, tables);
  const [activeKey, setActive] = useState('');
  const [menuKey, setMenu] = useState<string | null>(null);
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === activeKey),
  );
  const virtual = useVirtualRows(tree, rows, active);
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (activeKey !== '') scrollToIndex(active, { align: 'auto' });
  }, [scrollToIndex, active, activeKey]);
  const choose = (row: TableRow) => {
    setActive(row.key);
    if (isReadOnly || row.content.kind === 'schema') toggle(row);
    else insertRow(row, actions);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== tree.current) return;
    const row = rows[active];
    const action = findRowAction(rows, active, event.key);
    if (action === 'toggle' && row !== undefined) toggle(row);
    else if (action !== null && action !== 'toggle') setActive(rows[action.go]?.key ?? '');
    else if (event.key === 'Enter' && row !== undefined) choose(row);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={tree}
      role="tree"
      className={`${treeClasses.tree} ${classes.tree}`}
      aria-label="Tables"
      tabIndex={0}
      aria-activedescendant={`${id}-${active}`}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        if (event.target !== tree.current) return;
        event.preventDefault();
        setMenu(rows[active]?.key ?? null);
      }}
    >
      <div className={treeClasses.rows} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <Row
                key={key}
                id={`${id}-${index}`}
                top={start}
                row={row}
                isActive={index === active}
                isMenuOpen={menuKey === row.key}
                onMenu={(isOpen) => setMenu(isOpen ? row.key : null)}
                onToggle={() => toggle(row)}
                onChoose={() => choose(row)}
                {...{ actions, isReadOnly }}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

function useVirtualRows(tree: RefObject<HTMLDivElement | null>, rows: readonly TableRow[], active: number) {
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => tree.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    getItemKey: (index) => rows[index]?.key ?? index,
    // The active row is always in the document, because the tree refers to it.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), active])].sort((one, other) => one - other),
  });
}

/** The visible rows, and a function that opens or closes one. */
function useRows(view: Store<TablesView>, tables: readonly TableInfo[]) {
  const { search, toggled } = useStore(view);
  const rows = useMemo(() => listTableRows(tables, toggled), [tables, toggled]);
  const toggle = ({ key, isOpen }: TableRow) => {
    if (isOpen === null) return;
    const after = new Set(toggled);
    if (!after.delete(key)) after.add(key);
    view.set({ search, toggled: after });
  };
  return { rows, toggle };
}

function insertRow({ content }: TableRow, { insertTable, insertColumn }: TableActions): void {
  if (content.kind === 'table') insertTable(content.table);
  if (content.kind === 'column') insertColumn(content.name);
}

interface RowProps extends Pick<TableTreeProps, 'actions' | 'isReadOnly'> {
  readonly id: string;
  /** The distance from the top of the tree, in pixels. */
  readonly top: number;
  readonly row: TableRow;
  readonly isActive: boolean;
  readonly isMenuOpen: boolean;
  readonly onMenu: (isOpen: boolean) => void;
  readonly onToggle: () => void;
  readonly onChoose: () => void;
}

function Row({ id, top, row, isActive, onToggle, onChoose, onMenu, ...menu }: RowProps) {
  const { content, level, position, setSize, isOpen } = row;
  const name = content.kind === 'table' ? content.table.name : content.name;
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault();
    if (content.kind === 'table') onMenu(true);
  };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names this row as the active one
    <div
      id={id}
      role="treeitem"
      className={treeClasses.row}
      style={{ transform: `translateY(${top}px)`, paddingInlineStart: (level - 1) * INDENT }}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={false}
      {...(isOpen === null ? {} : { 'aria-expanded': isOpen })}
      data-active={isActive || undefined}
      onContextMenu={onContextMenu}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same */}
      <span
        className={treeClasses.toggle}
        aria-hidden="true"
        onMouseDown={keepFocus}
        {...(isOpen === null ? {} : { onClick: onToggle })}
      >
        {isOpen !== null && <ChevronIcon size={14} />}
      </span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter does the same */}
      <span className={`${treeClasses.link} ${classes.name}`} onMouseDown={keepFocus} onClick={onChoose}>
        {content.kind === 'schema' && <DatabaseIcon size={16} />}
        {content.kind === 'table' && <TableIcon size={16} />}
        <ItemName name={name} />
        {content.kind === 'column' && <span className={classes.type}>{content.type}</span>}
      </span>
      {content.kind === 'table' && <TableMenu table={content.table} onMenu={onMenu} {...menu} />}
    </div>
  );
}

/** The text keeps the focus, and its cursor. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

interface TableMenuProps extends Pick<RowProps, 'actions' | 'isReadOnly' | 'isMenuOpen' | 'onMenu'> {
  readonly table: TableInfo;
}

function TableMenu({ table, actions, isReadOnly, isMenuOpen, onMenu }: TableMenuProps) {
  return (
    <Menu opened={isMenuOpen} onChange={onMenu} position="bottom-start" width={270} shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          tabIndex={-1}
          className={classes.more}
          aria-label={`Actions for ${table.name}`}
        >
          <MoreIcon size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isReadOnly && (
          <Menu.Item onClick={() => actions.insertSelect(table)}>Insert a SELECT of its columns</Menu.Item>
        )}
        <Menu.Item onClick={() => actions.preview(table)}>Show the first 100 rows</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
