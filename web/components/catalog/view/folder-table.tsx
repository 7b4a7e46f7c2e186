import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import type { Entry } from '../../../api/catalog/catalog.ts';
import { TimeText } from '../../time-text.tsx';
import { CatalogLink } from '../item/catalog-link.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { ITEM_KIND_NAMES } from '../item/item-kinds.ts';
import { ItemName } from '../item/item-name.tsx';
import classes from './folder-table.module.css';

/** The height of a row, in pixels. */
const ROW_HEIGHT = 44;

interface FolderTableProps {
  readonly label: string;
  readonly entries: readonly Entry[];
  /** The actions of an entry. */
  readonly renderActions?: (entry: Entry) => ReactNode;
}

/** The contents of a folder as a table; only visible rows are drawn. */
export function FolderTable({ label, entries, renderActions }: FolderTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollPaddingStart: ROW_HEIGHT,
  });
  const drawn = virtual.getVirtualItems();
  const before = drawn[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <div ref={box} className={classes.box}>
      <table className={classes.table} aria-label={label} aria-rowcount={entries.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Name</th>
            <th scope="col" className={classes.kind}>
              Kind
            </th>
            <th scope="col" className={classes.updated}>
              Updated
            </th>
            {renderActions !== undefined && (
              <th scope="col" className={classes.actions} aria-label="Actions" />
            )}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {drawn.map(({ index }) => {
            const entry = entries[index];
            if (entry === undefined) return null;
            return (
              <EntryRow
                key={entry.path}
                entry={entry}
                index={index + 2}
                {...(renderActions === undefined ? {} : { renderActions })}
              />
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

interface EntryRowProps extends Pick<FolderTableProps, 'renderActions'> {
  readonly entry: Entry;
  /** The place in the table, from 1. */
  readonly index: number;
}

function EntryRow({ entry, index, renderActions }: EntryRowProps) {
  return (
    <tr aria-rowindex={index} className={classes.entry}>
      <td>
        <CatalogLink path={entry.path} className={classes.link}>
          <ItemIcon type={entry.type} />
          <ItemName name={entry.name} />
        </CatalogLink>
      </td>
      <td className={classes.kind}>{ITEM_KIND_NAMES[entry.type]}</td>
      <td className={classes.updated}>
        <TimeText value={entry.updated_at} isRelative />
      </td>
      {renderActions !== undefined && <td className={classes.actions}>{renderActions(entry)}</td>}
    </tr>
  );
}
