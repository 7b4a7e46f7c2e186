import { Box, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { childrenQuery, type Entry, isAtLeast, levelQuery } from '../../../api/catalog/catalog.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import { FolderIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { MessagePart } from '../../message-page.tsx';
import { TimeText } from '../../time-text.tsx';
import { useCatalog } from '../catalog-context.ts';
import { CatalogLink } from '../item/catalog-link.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { ITEM_KIND_NAMES } from '../item/item-kinds.ts';
import { ItemMenu } from '../item/item-menu.tsx';
import { ItemName } from '../item/item-name.tsx';
import { DropTarget } from '../transfer/drop-target.tsx';
import transferClasses from '../transfer/transfer.module.css';
import classes from './folder-table.module.css';
import { isRefusal } from './item-failed.tsx';

/** The contents of a folder, on which files can be dropped, or the namespaces for the empty path. */
export function FolderContents({ path }: { readonly path: string }) {
  const { start } = useCatalog();
  const { data: level } = useQuery({ ...levelQuery(path), enabled: path !== '' });
  if (!isAtLeast(level, 'EDIT')) return <Contents path={path} />;
  return (
    <DropTarget
      className={transferClasses.target}
      onDrop={(dropped) => start({ kind: 'upload', folder: path, dropped })}
    >
      <Contents path={path} />
    </DropTarget>
  );
}

function Contents({ path }: { readonly path: string }) {
  const { data, error, refetch } = useQuery(childrenQuery(path));
  if (error !== null && (data === undefined || isRefusal(error))) {
    return (
      <Box p="lg">
        <LoadError title="The folder cannot be listed" error={error} onRetry={() => void refetch()} />
      </Box>
    );
  }
  if (data === undefined) return <Waiting />;
  if (data.length === 0) {
    return (
      <MessagePart
        icon={<FolderIcon size={24} />}
        title="This folder is empty"
        text="You see only items that you may view."
      />
    );
  }
  return (
    <FolderTable
      key={path}
      label={path === '' ? 'Namespaces' : `Contents of ${getName(path)}`}
      entries={data}
      {...(path === '' ? {} : { renderActions: (entry) => <ItemMenu entry={entry} /> })}
    />
  );
}

function Waiting() {
  return (
    <Stack gap="xs" p="md" role="status" aria-label="Loading the folder">
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} height={36} radius="md" />
      ))}
    </Stack>
  );
}

/** The height of a row, in pixels. */
const ROW_HEIGHT = 44;

interface FolderTableProps {
  readonly label: string;
  readonly entries: readonly Entry[];
  /** The actions of an entry. */
  readonly renderActions?: (entry: Entry) => ReactNode;
}

/** The contents of a folder as a table; only visible rows are drawn. */
function FolderTable({ label, entries, renderActions }: FolderTableProps) {
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
