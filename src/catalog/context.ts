import type { CatalogPermissions } from '../identity/permissions.ts';
import type { Clock } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import type { NewId } from '../store/uuid.ts';
import type { CatalogStore } from './store.ts';

/** What the catalog is made of. */
export interface CatalogOptions {
  readonly database: Database;
  readonly permissions: CatalogPermissions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** What each operation works with. */
export interface CatalogContext extends CatalogOptions {
  readonly store: CatalogStore;
}
