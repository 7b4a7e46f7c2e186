import { type ReactNode, useMemo, useState } from 'react';
import type { CatalogSearch } from '../../api/catalog/catalog-search.ts';
import { useSession } from '../../api/use-session.ts';
import { PanelPage } from '../panel/panel-page.tsx';
import { BinLink } from './bin/bin-link.tsx';
import { type Action, CatalogContext } from './catalog-context.ts';
import classes from './catalog-frame.module.css';
import { ActionDialog } from './dialogs/action-dialog.tsx';
import { SearchBox } from './search/search-box.tsx';
import { CatalogTree } from './tree/catalog-tree.tsx';
import { useKeptFolders } from './tree/open-folders.ts';

interface CatalogFrameProps {
  /** The path of the shown item; empty if none is shown. */
  readonly path: string;
  readonly search: CatalogSearch;
  /** The side panel. */
  readonly panel?: ReactNode;
  readonly children: ReactNode;
}

/** What surrounds the pages of the catalog: the search, the tree, the bin, and the dialogs of actions. */
export function CatalogFrame({ path, search, panel, children }: CatalogFrameProps) {
  const { user } = useSession();
  const folders = useKeptFolders(user.user_name, path);
  const [action, start] = useState<Action | null>(null);
  return (
    <CatalogContext value={useMemo(() => ({ folders, start }), [folders])}>
      <PanelPage
        id="catalog"
        label="Catalog"
        openLabel="Browse"
        head={<SearchBox path={path} search={search} />}
        renderPanel={(close) => (
          <>
            <div className={classes.tree}>
              <CatalogTree selected={path} onShow={close} />
            </div>
            <BinLink onShow={close} />
          </>
        )}
      >
        <div className={classes.main}>{children}</div>
        {panel}
      </PanelPage>
      {action !== null && (
        <ActionDialog action={action} shown={path} folders={folders} onClose={() => start(null)} />
      )}
    </CatalogContext>
  );
}
