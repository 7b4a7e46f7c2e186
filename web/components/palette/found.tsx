import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { foundQuery } from '../../api/catalog/catalog-find.ts';
import { getName, getParentPath } from '../../api/catalog/catalog-paths.ts';
import { connectionsQuery } from '../../api/editor/connections.ts';
import { tablesQuery } from '../../api/editor/language.ts';
import { openTextsQuery } from '../../api/editor/open-texts.ts';
import { readLastConnection } from '../../api/editor/run-settings.ts';
import { readOpened } from '../../api/opened.ts';
import { toDialect } from '../../language/sql-keywords.ts';
import { printPreview, printTableName } from '../../language/table-names.ts';
import { ItemIcon } from '../catalog/item/item-icon.tsx';
import { ITEM_KIND_NAMES } from '../catalog/item/item-kinds.ts';
import { printCounted } from '../catalog/view/print-size.ts';
import { getTitle, isQuery } from '../editor/workspace/tab.ts';
import { DocumentIcon, HistoryIcon, SearchIcon, TableIcon } from '../icons.tsx';
import { notifyFailure } from '../notify.ts';
import { openQuery } from '../run-text/open-query.ts';
import type { PaletteCommand } from './commands.tsx';

/** The time without a key press after which the server is asked. */
const DEBOUNCE_MS = 150;
/** More than these are on the pages of the catalog's own search, and in the panel of tables. */
const [MAX_ASSETS, MAX_TABLES] = [20, 10];
/** A shorter text is in most scripts and tables, in characters. */
const MIN_LENGTH = 2;

/** What a search has found so far. */
interface Found {
  readonly commands: readonly PaletteCommand[];
  readonly isSearching: boolean;
  readonly error: Error | null;
}

/** What the server finds by a text: items of the catalog, tables of the last connection, and scripts by their texts. */
export function useFound(text: string, user: string): Found {
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS);
  const assets = useAssets(settled);
  const tables = useTables(settled, user);
  const texts = useTexts(settled);
  const commands = text === '' ? [] : [...assets.commands, ...tables, ...texts];
  return {
    commands,
    isSearching: assets.isSearching || settled !== text,
    error: text === '' ? null : assets.error,
  };
}

/** The items of the catalog whose path contains a text: its last part is in the name. */
function useAssets(text: string): Found {
  const router = useRouter();
  const name = getName(text.replace(/\/+$/, ''));
  const { data, error, isFetching } = useQuery({
    ...foundQuery(name, 'name'),
    enabled: name !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const wanted = text.replace(/\/+$/, '').toLowerCase();
  const items =
    data?.data.filter(({ path }) => !text.includes('/') || path.toLowerCase().includes(wanted)) ?? [];
  return {
    commands: items.slice(0, MAX_ASSETS).map(({ name: label, path, type }) => ({
      id: `asset ${path}`,
      group: 'Catalog',
      label,
      detail: `${ITEM_KIND_NAMES[type]} · ${path}`,
      icon: <ItemIcon type={type} />,
      run: () => void router.navigate({ to: '/catalog/$', params: { _splat: path } }),
    })),
    isSearching: isFetching,
    error,
  };
}

/** The tables of the connection of the last run, else of the first one; each opens as a query. */
function useTables(text: string, user: string): readonly PaletteCommand[] {
  const router = useRouter();
  const isLong = text.length >= MIN_LENGTH;
  const { data: connections } = useQuery({ ...connectionsQuery, enabled: isLong });
  const last = readLastConnection(user);
  const connection = connections?.find(({ name }) => name === last) ?? connections?.[0];
  const { data: tables } = useQuery({
    ...tablesQuery(connection?.name ?? '', text),
    enabled: isLong && connection !== undefined,
  });
  if (!isLong || connection === undefined) return [];
  const dialect = toDialect(connection.kind);
  const open = async (content: string) => {
    const key = await openQuery(user, content);
    await router.navigate({ to: '/sql/$', params: { _splat: key } });
  };
  return (tables?.data ?? []).slice(0, MAX_TABLES).map((table) => ({
    id: `table ${table.schema} ${table.name}`,
    group: `Tables of ${connection.name}`,
    label: printTableName(table, dialect),
    icon: <TableIcon />,
    run: () =>
      void open(printPreview(table, dialect)).catch(() => notifyFailure('The editor could not be opened.')),
  }));
}

/** The search in the texts of scripts, with the number of those that it finds. */
function useTexts(text: string): readonly PaletteCommand[] {
  const router = useRouter();
  const { data } = useQuery({
    ...foundQuery(text, 'content'),
    enabled: text.length >= MIN_LENGTH,
    retry: false,
  });
  const count = data?.data.length ?? 0;
  if (text.length < MIN_LENGTH || data === undefined || count === 0) return [];
  const more = data.is_complete ? '' : 'more than ';
  return [
    {
      id: 'texts',
      group: 'Text of scripts',
      label: `Search the text of scripts for “${text}”`,
      detail: `${more}${printCounted(count, 'script')}`,
      icon: <SearchIcon />,
      run: () =>
        void router.navigate({
          to: '/catalog/$',
          params: { _splat: '' },
          search: { q: text, in: 'content' },
        }),
    },
  ];
}

/** The texts that are open in the editor. */
export function useOpenTexts(user: string): readonly PaletteCommand[] {
  const router = useRouter();
  const { data: tabs = [] } = useQuery(openTextsQuery(user));
  return tabs.map(({ key, title = null }) => ({
    id: `text ${key}`,
    group: 'Open texts',
    label: getTitle({ key, title }),
    ...(isQuery(key) ? {} : { detail: getParentPath(key) }),
    icon: <DocumentIcon />,
    run: () => void router.navigate({ to: '/sql/$', params: { _splat: key } }),
  }));
}

/** What this browser opened last. */
export function listOpened(
  user: string,
  navigate: ReturnType<typeof useRouter>['navigate'],
): readonly PaletteCommand[] {
  return readOpened(user).map(({ path, place }) => ({
    id: `opened ${path}`,
    group: 'Opened last',
    label: getName(path),
    detail: place === 'sql' ? `${getParentPath(path)}, in the editor` : getParentPath(path),
    icon: <HistoryIcon />,
    run: () => void navigate({ to: place === 'sql' ? '/sql/$' : '/catalog/$', params: { _splat: path } }),
  }));
}
