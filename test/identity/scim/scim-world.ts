import { ScimError } from '../../../src/errors/scim-error.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import type { ScimObject } from '../../../src/identity/scim/protocol/resource.ts';
import type { ScimApi } from '../../../src/identity/scim/protocol/scim-api.ts';
import { createScimService } from '../../../src/identity/scim/resources/scim-service.ts';
import { type AccountWorld, createAccountWorld, type WorldOptions } from '../account-world.ts';

/** The URN of the enterprise object. */
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The base URL of the resources. */
export const BASE = 'https://quern.example/api/v1/scim/v2';

/** A home with three users, and its SCIM interface. */
export interface ScimWorld extends AccountWorld {
  /** As `admin`. */
  readonly scim: ScimApi;
  as(principal: Principal): ScimApi;
  /** The warnings in the log. */
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

/** A change without options. */
export const CHANGE = { projection: {} };

/** The body of a PATCH. */
export function patchOf(...operations: readonly unknown[]) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations };
}

/** The error of a call, as "status kind: detail"; fails the test when the call succeeds. */
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

/** Creates a user, `eve` by default, and returns its id. */
export async function makeUser({ scim }: ScimWorld, body: object): Promise<string> {
  return (await scim.users.create({ userName: 'eve', ...body }, {})).id;
}

/** The response for a user. */
export async function readUser({ scim }: ScimWorld, id: string): Promise<ScimObject> {
  return (await scim.users.get(id, {})).resource!;
}

/** Changes a user. */
export function patchUser({ scim }: ScimWorld, id: string, ...operations: readonly object[]) {
  return scim.users.patch(id, patchOf(...operations), CHANGE);
}
