import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { isFolder } from '../../../api/catalog.ts';
import { findRow } from './find-row.ts';
import { useOpenFolders } from './open-folders.ts';
import classes from './tree.module.css';
import { TreeItem, TreeState } from './tree-row.tsx';
import type { TreeRow } from './tree-rows.ts';
import { useTreeKeys } from './use-tree-keys.ts';
import { useTreeRows } from './use-tree-rows.ts';

/** The height of a row, in pixels. */
const ROW_HEIGHT = 32;

interface CatalogTreeProps {
  readonly userName: string;
  /** The path of the shown item. */
  readonly selected: string;
  /** Called when an item is chosen. */
  readonly onShow?: () => void;
}

/** The catalog as a tree (WAI-ARIA tree pattern). Folders are loaded when they are opened; only visible rows are drawn. */
export function CatalogTree({ userName, selected, onShow }: CatalogTreeProps) {
  const folders = useOpenFolders(userName, selected);
  const { rows, reload } = useTreeRows(folders);
  const [active, setActive] = useActiveRow(selected);
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
  const onKeyDown = useTreeKeys({ rows, index: activeIndex, folders, setActive, onShow });
  return (
    <div
      ref={tree}
      role="tree"
      className={classes.tree}
      aria-label="Catalog"
      tabIndex={0}
      aria-activedescendant={`${id}-${activeIndex}`}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => keepFocus(event, tree.current)}
    >
      <div className={classes.rows} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          if (row.kind !== 'item') {
            return (
              <TreeState
                key={key}
                id={`${id}-${index}`}
                top={start}
                row={row}
                onRetry={() => reload(row.path)}
              />
            );
          }
          const { path } = row.entry;
          return (
            <TreeItem
              key={key}
              id={`${id}-${index}`}
              top={start}
              row={row}
              isActive={index === activeIndex}
              isSelected={path === selected}
              onToggle={() => (row.isOpen ? folders.close(path) : folders.open(path))}
              onOpen={() => {
                setActive(path);
                if (isFolder(row.entry.type)) folders.open(path);
                onShow?.();
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The tree keeps the focus when a row is clicked: the row may leave the document. */
function keepFocus(event: MouseEvent, tree: HTMLElement | null): void {
  if (event.button !== 0) return;
  event.preventDefault();
  tree?.focus({ preventScroll: true });
}

/** The path of the row for the keyboard: the shown item, until a key goes elsewhere. */
function useActiveRow(selected: string): readonly [string, (path: string) => void] {
  const [active, setActive] = useState(selected);
  const [before, setBefore] = useState(selected);
  if (before !== selected) {
    setBefore(selected);
    setActive(selected);
  }
  return [active, setActive];
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
