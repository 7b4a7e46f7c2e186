import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { readOneOf } from '../../../api/address.ts';
import {
  type DetailedEntry,
  isAtLeast,
  levelQuery,
  listDetailed,
  loadFolder,
  toFolderKey,
} from '../../../api/catalog/catalog.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import { type FolderSearch, ITEM_SORTS, LISTED_TYPES } from '../../../api/catalog/catalog-search.ts';
import { FolderIcon } from '../../icons.tsx';
import { Message } from '../../message-page.tsx';
import { ChoiceFilter } from '../../table/choice-filter.tsx';
import { DataTable, type ListColumn } from '../../table/data-table.tsx';
import { useList } from '../../table/use-list.ts';
import { TimeText } from '../../time-text.tsx';
import { useCatalog } from '../catalog-context.ts';
import { CatalogLink } from '../item/catalog-link.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { ITEM_KIND_NAMES } from '../item/item-kinds.ts';
import { ItemMenu } from '../item/item-menu.tsx';
import { ItemName } from '../item/item-name.tsx';
import { showDirections } from '../item/show-directions.ts';
import { ManyActions } from '../many/many-actions.tsx';
import { DropTarget } from '../transfer/drop-target.tsx';
import transferClasses from '../transfer/transfer.module.css';
import classes from './folder-contents.module.css';
import { printSize } from './print-size.ts';

interface FolderContentsProps {
  /** Empty for the namespaces. */
  readonly path: string;
  readonly search: FolderSearch;
}

/** The contents of a folder, on which files can be dropped, or the namespaces for the empty path. */
export function FolderContents({ path, search }: FolderContentsProps) {
  const { start } = useCatalog();
  const { data: level } = useQuery({ ...levelQuery(path), enabled: path !== '' });
  const mayEdit = isAtLeast(level, 'EDIT');
  const table = (
    <div className={classes.folder}>
      <FolderTable path={path} search={search} mayEdit={mayEdit} />
    </div>
  );
  if (!mayEdit) return table;
  return (
    <DropTarget
      className={transferClasses.target}
      onDrop={(dropped) => start({ kind: 'upload', folder: path, dropped })}
    >
      {table}
    </DropTarget>
  );
}

function FolderTable({ path, search, mayEdit }: FolderContentsProps & { readonly mayEdit: boolean }) {
  const navigate = useNavigate();
  const { find, type, sort } = search;
  const change = (changed: FolderSearch) =>
    void navigate({
      to: '/catalog/$',
      params: { _splat: path },
      search: { find, type, sort, ...changed },
      replace: true,
    });
  const list = useList({
    key: toFolderKey(path),
    load: (query, signal) => loadFolder(path, query, signal),
    parameters: { q: find, type, sort },
    toAfter: ({ name }) => name,
  });
  return (
    <DataTable
      key={path}
      label={path === '' ? 'Namespaces' : `Contents of ${getName(path)}`}
      unit={path === '' ? ['namespace', 'namespaces'] : ['item', 'items']}
      columns={path === '' ? COLUMNS.filter(({ sort: column }) => column === 'name') : COLUMNS}
      list={list}
      toId={({ name }) => name}
      search={{ q: find, sort: sort ?? 'name' }}
      onSearch={(changed) =>
        change('sort' in changed ? { sort: readOneOf(ITEM_SORTS, changed.sort) } : { find: changed.q })
      }
      filters={
        path !== '' && (
          <ChoiceFilter
            label="Kind"
            all="All kinds"
            names={KINDS}
            value={LISTED_TYPES.find((one) => one === type)}
            onChange={(next) => change({ type: next })}
          />
        )
      }
      isFiltered={type !== undefined}
      onClear={() => change({ find: undefined, type: undefined })}
      empty={<EmptyFolder mayEdit={mayEdit} />}
      {...(path === ''
        ? {}
        : {
            renderMenu: (entry: DetailedEntry) => <ItemMenu entry={entry} />,
            renderActions: ({ ids, clear }) => (
              <ManyActions
                folder={path}
                names={ids}
                mayEdit={mayEdit || mayEditSome(list.rows ?? [], ids)}
                clear={clear}
              />
            ),
            whole: {
              key: JSON.stringify([find, type]),
              loadIds: () => loadNames(path, { find, type }),
            },
          })}
    />
  );
}

/** The names of all items that a search finds. */
async function loadNames(path: string, { find, type }: FolderSearch): Promise<readonly string[]> {
  const search = { ...(find === undefined ? {} : { q: find }), ...(type === undefined ? {} : { type }) };
  return (await listDetailed(path, search, new AbortController().signal)).map(({ name }) => name);
}

/** Whether the user may change one of some loaded items. */
function mayEditSome(rows: readonly DetailedEntry[], names: readonly string[]): boolean {
  const wanted = new Set(names);
  return rows.some(({ name, level }) => wanted.has(name) && isAtLeast(level, 'EDIT'));
}

/** The message of an empty folder, with what can be done about it. */
function EmptyFolder({ mayEdit }: { readonly mayEdit: boolean }) {
  return (
    <Message
      icon={<FolderIcon size={24} />}
      title="This folder is empty"
      text={
        mayEdit ? 'Create an item with New, or drop files here.' : 'You see only items that you may view.'
      }
    />
  );
}

/** The kinds of items that people create. */
const KINDS = Object.fromEntries(LISTED_TYPES.map((type) => [type, ITEM_KIND_NAMES[type]])) as Readonly<
  Record<(typeof LISTED_TYPES)[number], string>
>;

const COLUMNS: readonly ListColumn<DetailedEntry>[] = [
  { header: 'Name', sort: 'name', render: (entry) => <EntryName entry={entry} /> },
  { header: 'Kind', sort: 'type', width: 160, isExtra: true, render: ({ type }) => ITEM_KIND_NAMES[type] },
  {
    header: 'Author',
    sort: 'updated_by',
    width: 130,
    isExtra: true,
    render: ({ updated_by }) => updated_by !== null && <ItemName name={updated_by} />,
  },
  {
    header: 'Size',
    sort: 'bytes',
    width: 100,
    render: ({ bytes }) => bytes !== null && printSize(bytes),
  },
  {
    header: 'Updated',
    sort: 'updated_at',
    width: 150,
    render: ({ updated_at }) => <TimeText value={updated_at} isRelative />,
  },
];

function EntryName({ entry: { path, name, type, description } }: { readonly entry: DetailedEntry }) {
  return (
    <>
      <CatalogLink path={path} className={classes.link}>
        <ItemIcon type={type} />
        <ItemName name={name} />
      </CatalogLink>
      {description !== '' && (
        <Text size="xs" c="dimmed" truncate className={classes.description} title={description}>
          {showDirections(description)}
        </Text>
      )}
    </>
  );
}
