import { Stack, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { CatalogSearch } from '../../api/catalog/catalog-search.ts';
import { useSession } from '../../api/use-session.ts';
import { type Action, CatalogContext } from '../../components/catalog/catalog-context.ts';
import { ActionDialog } from '../../components/catalog/dialogs/action-dialog.tsx';
import { SearchBox } from '../../components/catalog/search/search-box.tsx';
import { SearchResults } from '../../components/catalog/search/search-results.tsx';
import { CatalogTree } from '../../components/catalog/tree/catalog-tree.tsx';
import { useKeptFolders } from '../../components/catalog/tree/open-folders.ts';
import { FolderContents } from '../../components/catalog/view/folder-contents.tsx';
import { ItemView } from '../../components/catalog/view/item-view.tsx';
import { PanelPage } from '../../components/panel/panel-page.tsx';
import classes from './catalog.module.css';

const route = getRouteApi('/signed-in/catalog/$');

/** The catalog: a tree, and the item of the address. */
export function CatalogPage() {
  const { user } = useSession();
  const { _splat: path = '' } = route.useParams();
  const search = route.useSearch();
  const folders = useKeptFolders(user.user_name, path);
  const [action, start] = useState<Action | null>(null);
  return (
    <CatalogContext value={useMemo(() => ({ folders, start }), [folders])}>
      <PanelPage
        id="catalog"
        label="Catalog"
        openLabel="Browse"
        head={<SearchBox path={path} search={search} />}
        renderPanel={(close) => <CatalogTree selected={path} onShow={close} />}
      >
        <div className={classes.main}>
          <Content path={path} search={search} />
        </div>
      </PanelPage>
      {action !== null && (
        <ActionDialog action={action} shown={path} folders={folders} onClose={() => start(null)} />
      )}
    </CatalogContext>
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
