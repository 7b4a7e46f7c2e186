import type { App } from '../http/typed-app.ts';
import { addCreateAsset } from './create-asset.ts';
import { addCreateFolder } from './create-folder.ts';
import { addDeleteAsset } from './delete-asset.ts';
import { addDeleteFolder } from './delete-folder.ts';
import { addGet } from './get.ts';
import { addList } from './list.ts';
import { addUpdateAsset } from './update-asset.ts';
import { addUpdateFolder } from './update-folder.ts';

/** The routes of the catalog (docs/reference/http-catalog.md). */
export function addCatalogRoutes(app: App): void {
  addList(app);
  addGet(app);
  addCreateFolder(app);
  addCreateAsset(app);
  addUpdateFolder(app);
  addUpdateAsset(app);
  addDeleteFolder(app);
  addDeleteAsset(app);
}
