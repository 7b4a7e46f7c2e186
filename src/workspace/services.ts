import { type CatalogService, createCatalogService } from '../catalog/service.ts';
import { createOwnerPermissions } from '../identity/owner-permissions.ts';
import { createUserService, type UserService } from '../identity/users.ts';
import type { Database } from '../store/database.ts';
import { createUuidV7, type NewId } from '../store/uuid.ts';

export interface Services {
  readonly catalog: CatalogService;
  readonly users: UserService;
  readonly newId: NewId;
}

/** The services over one open database, wired to one another. */
export function createServices(database: Database): Services {
  const clock = () => new Date();
  const newId = createUuidV7(clock);
  const catalog = createCatalogService({ database, permissions: createOwnerPermissions(), clock, newId });
  const onCreated = (user: { readonly id: string }) => catalog.createHome(user.id);
  return { catalog, users: createUserService({ database, clock, newId, onCreated }), newId };
}
