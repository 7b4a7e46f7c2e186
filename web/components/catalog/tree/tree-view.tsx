import { Anchor } from '@mantine/core';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from 'react';
import { type Entry, isFolder } from '../../../api/catalog/catalog.ts';
import { PERSONAL } from '../../../api/catalog/catalog-paths.ts';
import { useSession } from '../../../api/use-session.ts';
import { ChevronIcon } from '../../icons.tsx';
import { CatalogLink } from '../item/catalog-link.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { ItemName } from '../item/item-name.tsx';
import { findByTyping, findKeyAction, findRow } from './find-row.ts';
import type { OpenFolders } from './open-folders.ts';
import classes from './tree.module.css';
import type { ItemRow, TreeRow } from './tree-rows.ts';
import { type OnDrop, useRowDrag } from './use-row-drag.ts';

/** The height of a row, in pixels. */
const ROW_HEIGHT = 32;

interface TreeViewProps {
  readonly label: string;
  readonly rows: readonly TreeRow[];
  readonly folders: OpenFolders;
  /** The path of the row that the keyboard acts on. */
  readonly active: string;
  readonly setActive: (path: string) => void;
  /** The path of the selected row. */
  readonly selected: string;
  /** Called for a click on a name, and for Enter. */
  readonly onChoose: (entry: Entry, by: 'click' | 'key') => void;
  /** Whether names are links to the pages of their items. */
  readonly hasLinks: boolean;
  readonly onReload: (path: string) => void;
  /** Whether an item cannot be chosen, and is pale; by default, each can. */
  readonly isPale?: (entry: Entry) => boolean;
  /** If items can be dropped on folders. */
  readonly onDrop?: OnDrop;
}

/** A tree of items (WAI-ARIA tree pattern). Only visible rows are drawn. */
export function TreeView(props: TreeViewProps) {
  const { label, rows, active, setActive } = props;
  const tree = useRef<HTMLDivElement>(null);
  const id = useId();
  const activeIndex = Math.max(0, findRow(rows, active));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => tree.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    getItemKey: (index) => getKey(rows[index]),
    // The active row is always in the document, because the tree refers to it.
    rangeExtractor: (range) => withIndex(range, activeIndex),
  });
  useScrollTo(findRow(rows, active), active, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  const onChoose = (entry: Entry, by: 'click' | 'key') => {
    setActive(entry.path);
    props.onChoose(entry, by);
  };
  const takeFocus = ({ target }: MouseEvent) => {
    if (isDraggable(target)) tree.current?.focus({ preventScroll: true });
  };
  const onKeyDown = useTreeKeys({
    ...props,
    index: activeIndex,
    onChoose: (entry) => onChoose(entry, 'key'),
  });
  return (
    <div
      ref={tree}
      role="tree"
      className={classes.tree}
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${id}-${activeIndex}`}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => keepFocus(event, tree.current)}
      onMouseUp={takeFocus}
      onDragEnd={takeFocus}
    >
      <div className={classes.rows} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <Row
            {...props}
            key={key}
            id={`${id}-${index}`}
            top={start}
            row={rows[index]}
            isActive={index === activeIndex}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps extends Omit<TreeViewProps, 'rows' | 'active' | 'setActive' | 'label'> {
  readonly id: string;
  readonly top: number;
  readonly row: TreeRow | undefined;
  readonly isActive: boolean;
}

function Row(props: RowProps) {
  const { row, id, top, isActive, folders, selected, hasLinks, onChoose, onReload, isPale, onDrop } = props;
  if (row === undefined) return null;
  if (row.kind !== 'item') {
    return <TreeState id={id} top={top} row={row} onRetry={() => onReload(row.path)} />;
  }
  const { path, type } = row.entry;
  return (
    <TreeItem
      id={id}
      top={top}
      row={row}
      isActive={isActive}
      isSelected={path === selected}
      isPale={isPale?.(row.entry) ?? false}
      hasLink={hasLinks}
      onDrop={onDrop}
      onToggle={() => (row.isOpen ? folders.close(path) : folders.open(path))}
      onChoose={() => {
        if (isFolder(type)) folders.open(path);
        onChoose(row.entry, 'click');
      }}
    />
  );
}

/** Whether an element is a link that can be dragged. */
function isDraggable(element: EventTarget): boolean {
  return element instanceof Element && element.closest('[draggable=true]') !== null;
}

/**
 * The tree keeps the focus when a row is clicked: the row may leave the document. A link that can be dragged has
 * the focus until the button is up, because the browser would not drag it otherwise.
 */
function keepFocus(event: MouseEvent, tree: HTMLElement | null): void {
  if (event.button !== 0 || isDraggable(event.target)) return;
  event.preventDefault();
  tree?.focus({ preventScroll: true });
}

/** Scrolls to a row once when it becomes the active one, or when it appears later. */
function useScrollTo(index: number, active: string, scroll: (index: number) => void): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (index < 0 || shown.current === active) return;
    shown.current = active;
    scroll(index);
  });
}

function getKey(row: TreeRow | undefined): string {
  if (row === undefined) return '';
  return row.kind === 'item' ? row.entry.path : `${row.path}/`;
}

function withIndex(range: Range, index: number): number[] {
  const indexes = defaultRangeExtractor(range);
  if (index >= range.count || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((one, other) => one - other);
}

/** The pause after which a typed letter starts a new text, in milliseconds. */
const TYPING_PAUSE_MS = 700;

interface TreeKeysOptions {
  readonly rows: readonly TreeRow[];
  /** The active row. */
  readonly index: number;
  readonly folders: OpenFolders;
  readonly setActive: (path: string) => void;
  /** Called for Enter. */
  readonly onChoose: (entry: Entry) => void;
}

/** Handles the keys of the tree (WAI-ARIA tree pattern): Enter chooses the active item, letters find a name. */
function useTreeKeys({ rows, index, folders, setActive, onChoose }: TreeKeysOptions) {
  const typed = useRef({ text: '', at: 0 });
  /** Returns whether the key continues or starts a text; a text does not start with a space. */
  const type = (key: string, at: number): boolean => {
    const isNew = at - typed.current.at > TYPING_PAUSE_MS;
    const text = isNew ? key : typed.current.text + key;
    if (key.length > 1 || text === ' ') return false;
    typed.current = { text, at };
    const match = findByTyping(rows, index, text);
    if (match !== null) setActive(match);
    return true;
  };
  const choose = ({ entry }: ItemRow) => {
    if (isFolder(entry.type)) folders.open(entry.path);
    onChoose(entry);
  };
  /** Returns whether the key has an action. */
  const act = ({ key, timeStamp }: KeyboardEvent): boolean => {
    const action = findKeyAction(rows, index, key);
    const row = rows[index];
    if (action?.kind === 'go') setActive(action.path);
    else if (action !== null) folders[action.kind](action.path);
    else if (key === 'Enter' && row?.kind === 'item') choose(row);
    else return type(key, timeStamp);
    return true;
  };
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (act(event)) event.preventDefault();
  };
}

/** The indentation of a level, in pixels. */
const INDENT = 16;

interface PlacedProps {
  readonly id: string;
  /** The distance from the top of the tree, in pixels. */
  readonly top: number;
}

interface TreeRowProps extends PlacedProps {
  readonly row: ItemRow;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isPale: boolean;
  /** Whether the name is a link to the page of the item. */
  readonly hasLink: boolean;
  readonly onDrop: OnDrop | undefined;
  readonly onToggle: () => void;
  readonly onChoose: () => void;
}

/** An item of the tree. A click on its triangle opens or closes a folder; a click on its name chooses the item, too. */
function TreeItem(props: TreeRowProps) {
  const { row, id, top, isActive, isSelected, isPale, hasLink, onDrop, onToggle, onChoose } = props;
  const { entry, level, position, setSize, isOpen } = row;
  const hasChildren = isFolder(entry.type);
  const drag = useRowDrag(entry, onDrop);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names this row as the active one
    <div
      id={id}
      role="treeitem"
      className={classes.row}
      style={place(top, level)}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={isSelected}
      {...(hasChildren ? { 'aria-expanded': isOpen } : {})}
      aria-disabled={isPale || undefined}
      {...drag.target}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
    >
      {hasChildren ? (
        <span className={classes.toggle} onClick={onToggle} aria-hidden="true">
          <ChevronIcon size={14} />
        </span>
      ) : (
        <span className={classes.toggle} />
      )}
      {hasLink ? (
        <CatalogLink
          path={entry.path}
          className={classes.link}
          tabIndex={-1}
          onClick={onChoose}
          {...drag.link}
        >
          <ItemIcon type={entry.type} />
          <ItemName name={entry.name} />
          {entry.path === PERSONAL && <OwnName />}
        </CatalogLink>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
        <span className={classes.link} onClick={onChoose}>
          <ItemIcon type={entry.type} />
          <ItemName name={entry.name} />
          {entry.path === PERSONAL && <OwnName />}
        </span>
      )}
    </div>
  );
}

/** The name of the user, whose home is one of the namespaces. */
function OwnName() {
  const { user } = useSession();
  return <bdi className={classes.own}>{user.user_name}</bdi>;
}

interface StateRowProps extends PlacedProps {
  readonly row: Exclude<TreeRow, ItemRow>;
  readonly onRetry: () => void;
}

/** The state of an open folder without children to show. */
function TreeState({ row, id, top, onRetry }: StateRowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-disabled="true"
      aria-selected="false"
      className={`${classes.row} ${classes.state}`}
      style={place(top, row.level)}
    >
      <span className={classes.toggle} />
      <span className={classes.message} title={row.message}>
        {row.message}
      </span>
      {row.kind === 'failed' && (
        <Anchor component="button" type="button" size="sm" className={classes.retry} onClick={onRetry}>
          Try again
        </Anchor>
      )}
    </div>
  );
}

function place(top: number, level: number): CSSProperties {
  return { transform: `translateY(${top}px)`, paddingInlineStart: (level - 1) * INDENT };
}
