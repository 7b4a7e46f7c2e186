import { type CatalogService, createCatalogService } from '../catalog/service.ts';
import { type ConnectionService, createConnectionService } from '../connections/service.ts';
import { createAccountPermissions } from '../identity/account-permissions.ts';
import { createGroupService, type GroupService } from '../identity/groups.ts';
import { createOwnerConnectionPermissions, createOwnerPermissions } from '../identity/owner-permissions.ts';
import { createSecrets } from '../identity/secrets/secrets.ts';
import { createTokenService, type TokenService } from '../identity/tokens.ts';
import { createUserAccounts, type UserAccounts } from '../identity/user-accounts.ts';
import { createUserService, type UserService } from '../identity/users.ts';
import type { Database } from '../store/database.ts';
import { createUuidV7, type NewId } from '../store/uuid.ts';
import type { Home } from './home.ts';

/** Users, groups and tokens, as principals may see and change them. */
export interface AccountServices {
  readonly users: UserAccounts;
  readonly groups: GroupService;
  readonly tokens: TokenService;
}

export interface Services {
  readonly catalog: CatalogService;
  readonly connections: ConnectionService;
  /** The accounts, for whom nothing is to be checked. */
  readonly users: UserService;
  readonly accounts: AccountServices;
  readonly newId: NewId;
}

/** The services over the open database of a home, wired to one another; `masterKey` is that of the environment. */
export function createServices(database: Database, home: Home, masterKey?: string): Services {
  const clock = () => new Date();
  const newId = createUuidV7(clock);
  const catalog = createCatalogService({ database, permissions: createOwnerPermissions(), clock, newId });
  const onCreated = (user: { readonly id: string }) => catalog.createHome(user.id);
  const users = createUserService({ database, clock, newId, onCreated });
  const context = { database, clock, newId, users, permissions: createAccountPermissions() };
  const accounts: AccountServices = {
    users: createUserAccounts({ ...context, onDelete: ({ id }) => catalog.deleteHome(id) }),
    groups: createGroupService(context),
    tokens: createTokenService(context),
  };
  const connections = createConnectionService({
    database,
    permissions: createOwnerConnectionPermissions(),
    secrets: createSecrets({ folder: home.folder, variable: masterKey }),
    clock,
    newId,
    duckdbFile: home.duckdb,
  });
  return { catalog, connections, users, accounts, newId };
}
