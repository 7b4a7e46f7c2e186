import type { Instance } from '../../workspace/instance/instance.ts';
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
export function addCatalogRoutes(app: App, instance: Instance): void {
  addList(app, instance);
  addGet(app, instance);
  addCreateFolder(app, instance);
  addCreateAsset(app, instance);
  addUpdateFolder(app, instance);
  addUpdateAsset(app, instance);
  addDeleteFolder(app, instance);
  addDeleteAsset(app, instance);
}
