import type { CatalogPermissions } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import type { Database } from '../store/database.ts';
import type { Clock } from '../store/values/clock.ts';
import type { NewId } from '../store/values/uuid.ts';
import type { ManifestCache } from './manifest-cache.ts';
import type { CatalogStore } from './store.ts';

/** What is about to be changed: what is at a path, as answered, and what is below it if that goes with it. */
interface Change {
  readonly path: string;
  readonly withBelow: boolean;
}

/** What the catalog is made of. */
export interface CatalogOptions {
  readonly database: Database;
  readonly permissions: CatalogPermissions;
  /** Whether a principal who may edit a place has what a change there needs besides; asked within the transaction. */
  readonly mayChange: (principal: Principal, change: Change) => boolean;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** What each operation works with. */
export interface CatalogContext extends CatalogOptions {
  readonly store: CatalogStore;
  readonly manifests: ManifestCache;
}
