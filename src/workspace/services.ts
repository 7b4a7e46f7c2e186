import { type CatalogService, createCatalogService } from '../catalog/service.ts';
import { type ConnectionService, createConnectionService } from '../connections/service.ts';
import { createOwnerConnectionPermissions, createOwnerPermissions } from '../identity/owner-permissions.ts';
import { createSecrets } from '../identity/secrets/secrets.ts';
import { createUserService, type UserService } from '../identity/users.ts';
import type { Database } from '../store/database.ts';
import { createUuidV7, type NewId } from '../store/uuid.ts';
import type { Home } from './home.ts';

export interface Services {
  readonly catalog: CatalogService;
  readonly connections: ConnectionService;
  readonly users: UserService;
  readonly newId: NewId;
}

/** The services over the open database of a home, wired to one another; `masterKey` is that of the environment. */
export function createServices(database: Database, home: Home, masterKey?: string): Services {
  const clock = () => new Date();
  const newId = createUuidV7(clock);
  const catalog = createCatalogService({ database, permissions: createOwnerPermissions(), clock, newId });
  const onCreated = (user: { readonly id: string }) => catalog.createHome(user.id);
  const users = createUserService({ database, clock, newId, onCreated });
  const connections = createConnectionService({
    database,
    permissions: createOwnerConnectionPermissions(),
    secrets: createSecrets({ folder: home.folder, variable: masterKey }),
    clock,
    newId,
    duckdbFile: home.duckdb,
  });
  return { catalog, connections, users, newId };
}
