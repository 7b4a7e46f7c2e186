import { createContext, useContext } from 'react';
import type { Entry } from '../../api/catalog/catalog.ts';
import type { ChosenFile } from '../../api/catalog/read-files.ts';
import type { OpenFolders } from './tree/open-folders.ts';

/** A change of the catalog that a dialog asks for. */
export type Action =
  | { readonly kind: 'create-script' | 'create-folder' | 'create-project'; readonly folder: string }
  | { readonly kind: 'upload'; readonly folder: string; readonly dropped: readonly ChosenFile[] }
  | { readonly kind: 'copy' | 'download'; readonly entry: Entry }
  | ManyAction
  | { readonly kind: 'rename' | 'describe' | 'move' | 'delete'; readonly entry: Entry };

/** A change of several items of a folder. */
export interface ManyAction {
  readonly kind: 'move-many' | 'copy-many' | 'download-many' | 'delete-many';
  readonly folder: string;
  readonly names: readonly string[];
  /** Called when it has ended. */
  readonly onDone: () => void;
}

/** What the parts of the catalog's page share. */
interface CatalogContextValue {
  readonly folders: OpenFolders;
  /** Opens the dialog of an action. */
  readonly start: (action: Action) => void;
}

export const CatalogContext = createContext<CatalogContextValue | null>(null);

/** What the parts of the catalog's page share; only inside this page. */
export function useCatalog(): CatalogContextValue {
  const value = useContext(CatalogContext);
  if (value === null) throw new Error('there is no catalog outside its page');
  return value;
}
