import type { CatalogPermissions } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import type { Database } from '../store/database.ts';
import type { Clock } from '../store/values/clock.ts';
import type { NewId } from '../store/values/uuid.ts';
import type { RevisionKeys } from './contents/revision-keys.ts';
import type { ManifestCache } from './manifest-cache.ts';
import type { CatalogStore } from './store.ts';

/** A planned change: the item at a path, in the form of responses, and the items below it if they change, too. */
interface Change {
  readonly path: string;
  readonly withBelow: boolean;
}

/** Dependencies of the catalog. */
export interface CatalogOptions {
  readonly database: Database;
  readonly permissions: CatalogPermissions;
  /** Whether a principal with EDIT meets the further conditions of a change; called within the transaction. */
  readonly mayChange: (principal: Principal, change: Change) => boolean;
  /** How many former contents an asset keeps; called within the transaction. */
  readonly findHistoryLimit: () => number;
  /** How many days the bin keeps deleted items; 0: they are deleted at once. Called within the transaction. */
  readonly findBinDays: () => number;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The context of each operation. */
export interface CatalogContext extends CatalogOptions {
  readonly store: CatalogStore;
  readonly manifests: ManifestCache;
  readonly revisionKeys: RevisionKeys;
}
