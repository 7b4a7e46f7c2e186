import { Stack, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { CatalogSearch } from '../../api/catalog/catalog-search.ts';
import { CatalogFrame } from '../../components/catalog/catalog-frame.tsx';
import { SearchResults } from '../../components/catalog/search/search-results.tsx';
import { FolderContents } from '../../components/catalog/view/folder-contents.tsx';
import { ItemView } from '../../components/catalog/view/item-view.tsx';

const route = getRouteApi('/signed-in/catalog/$');

/** The catalog: a tree, and the item of the address. */
export function CatalogPage() {
  const { _splat: path = '' } = route.useParams();
  const search = route.useSearch();
  return (
    <CatalogFrame path={path} search={search}>
      <Content path={path} search={search} />
    </CatalogFrame>
  );
}

interface PlaceProps {
  readonly path: string;
  readonly search: CatalogSearch;
}

/** The results of a search, the namespaces, or an item. */
function Content({ path, search }: PlaceProps) {
  const { q, in: where = 'name' } = search;
  if (q !== undefined) return <SearchResults text={q} where={where} path={path} />;
  return path === '' ? <Namespaces search={search} /> : <ItemView key={path} path={path} search={search} />;
}

function Namespaces({ search }: Pick<PlaceProps, 'search'>) {
  return (
    <>
      <title>Catalog · Quern</title>
      <Stack gap={6} px={{ base: 'md', sm: 'lg' }} pt="md" pb="sm">
        <Title order={1} fz={22}>
          Catalog
        </Title>
      </Stack>
      <FolderContents path="" search={search} />
    </>
  );
}
