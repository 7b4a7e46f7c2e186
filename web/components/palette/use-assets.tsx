import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { foundQuery } from '../../api/catalog/catalog-find.ts';
import { ItemIcon } from '../catalog/item/item-icon.tsx';
import { KIND_NAMES } from '../catalog/item/item-kinds.ts';
import type { Command } from './commands.tsx';

/** The time without a key press after which the catalog is searched. */
const DEBOUNCE_MS = 150;
/** More than these are on the page of the catalog's own search. */
const MAX_ASSETS = 20;

/** What a search has found so far. */
interface Assets {
  readonly commands: readonly Command[];
  readonly isSearching: boolean;
  readonly error: Error | null;
}

/** The items of the catalog whose name contains a text, as commands that open them. */
export function useAssets(text: string): Assets {
  const router = useRouter();
  const [name] = useDebouncedValue(text, DEBOUNCE_MS);
  const { data, error, isFetching } = useQuery({
    ...foundQuery(name, 'name'),
    enabled: name !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const found = text === '' ? [] : (data?.data.slice(0, MAX_ASSETS) ?? []);
  return {
    commands: found.map(({ name: label, path, type }) => ({
      id: `asset ${path}`,
      group: 'Catalog',
      label,
      detail: `${KIND_NAMES[type]} · ${path}`,
      icon: <ItemIcon type={type} />,
      run: () => void router.navigate({ to: '/catalog/$', params: { _splat: path } }),
    })),
    isSearching: isFetching || name !== text,
    error: text === '' ? null : error,
  };
}
