import type { Migration } from '../migrate.ts';
import { usersAndCatalog } from './0001-users-and-catalog.ts';

/** Every migration, in the order of their versions. */
export const migrations: readonly Migration[] = [usersAndCatalog];
