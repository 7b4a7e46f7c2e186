import type { ItemType } from '../../../api/catalog/catalog.ts';

/** What people call each type of item. */
export const ITEM_KIND_NAMES: Readonly<Record<ItemType, string>> = {
  REGULAR_FOLDER: 'Folder',
  USER_HOME: 'Home folder',
  PROJECT: 'Project',
  SQL_SCRIPT: 'SQL script',
  SERVICE_SCRIPT: 'Script with blocks',
  PROJECT_MANIFEST: 'Project manifest',
  SCHEDULED_EVENTS: 'Scheduled event',
  UPLOAD_TEMPLATE: 'Bulk load template',
  DATA_INSERT_TEMPLATE: 'Data insert template',
};
