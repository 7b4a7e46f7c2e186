import { ScimError } from '../../../src/errors/scim-error.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import type { ScimObject } from '../../../src/identity/scim/protocol/resource.ts';
import type { ScimApi } from '../../../src/identity/scim/protocol/scim-api.ts';
import { createScimService } from '../../../src/identity/scim/resources/scim-service.ts';
import { type AccountWorld, createAccountWorld, type WorldOptions } from '../account-world.ts';

/** The URN of the enterprise object. */
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** A URL under which resources are. */
export const BASE = 'https://quern.example/api/v1/scim/v2';

/** A home with three users, and its provisioning interface. */
export interface ScimWorld extends AccountWorld {
  /** As `admin`. */
  readonly scim: ScimApi;
  as(principal: Principal): ScimApi;
  /** What the log was told. */
  readonly warnings: string[];
}

export function createScimWorld(options: WorldOptions = {}): ScimWorld {
  const world = createAccountWorld(options);
  const warnings: string[] = [];
  const service = createScimService({ ...world, onDelete: (user) => world.deleted.push(user) });
  const as = (principal: Principal) =>
    service.as({ principal, base: BASE, warn: (line) => warnings.push(line) });
  return { ...world, scim: as(world.owner), as, warnings };
}

/** A change without anything said besides. */
export const CHANGE = { projection: {} };

/** A body of PATCH. */
export function patchOf(...operations: readonly unknown[]) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations };
}

/** How a call was refused, as "status kind: detail"; fails the test when it was not. */
export async function scimRefusalOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const kind = error instanceof ScimError ? ` ${error.scimType}` : '';
    return `${error.status}${kind}: ${error.detail}`;
  }
  throw new Error('not refused');
}

/** The ids of the resources of a list response. */
export function idsOf(list: ScimObject): readonly string[] {
  return (list.Resources as readonly ScimObject[]).map(({ id }) => id as string);
}

/** Makes a user, `eve` unless said otherwise, and answers the user's id. */
export async function makeUser({ scim }: ScimWorld, body: object): Promise<string> {
  return (await scim.users.create({ userName: 'eve', ...body }, {})).id;
}

/** A user as answered. */
export async function readUser({ scim }: ScimWorld, id: string): Promise<ScimObject> {
  return (await scim.users.get(id, {})).resource!;
}

/** Changes a user. */
export function patchUser({ scim }: ScimWorld, id: string, ...operations: readonly object[]) {
  return scim.users.patch(id, patchOf(...operations), CHANGE);
}
