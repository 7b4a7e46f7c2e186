import type { ScimObject } from './resource.ts';

/** Which attributes an answer has (RFC 7644, 3.9); names in any case, unknown ones are ignored. */
export interface Projection {
  readonly attributes?: readonly string[] | undefined;
  readonly excludedAttributes?: readonly string[] | undefined;
}

/** What a list is asked for (interface 4.5); numbers as they came, checked by the service. */
export interface ScimQuery extends Projection {
  readonly filter?: string | undefined;
  readonly startIndex?: string | number | undefined;
  readonly count?: string | number | undefined;
}

/** One resource as it is answered. */
export interface ScimAnswer {
  readonly id: string;
  /** The entity tag, as in `W/"3"`. */
  readonly version: string;
  /** The resource's URL. */
  readonly location: string;
  /** As projected; null for one that is too large to be sent unasked. */
  readonly resource: ScimObject | null;
}

/** What may be said with a change besides its body. */
export interface ScimChange {
  /** The header `If-Match`. */
  readonly ifMatch?: string | undefined;
  readonly projection: Projection;
}

/**
 * The users, or the groups, of a home for an identity provider (interface 4.5; identity 3). Each call is one transaction.
 * All throw 403 for who is no administrator, 404 for an unknown id, 412 for an entity tag that is not the current one, and a
 * `ScimError` for what RFC 7644 has a kind for.
 */
export interface ScimResources {
  /** A list response (interface 2.10). */
  list(query: ScimQuery): Promise<ScimObject>;
  get(id: string, projection: Projection): Promise<ScimAnswer>;
  create(body: unknown, projection: Projection): Promise<ScimAnswer>;
  replace(id: string, body: unknown, change: ScimChange): Promise<ScimAnswer>;
  patch(id: string, body: unknown, change: ScimChange): Promise<ScimAnswer>;
  delete(id: string, change: Pick<ScimChange, 'ifMatch'>): Promise<void>;
}

/** The whole provisioning interface for one principal. */
export interface ScimApi {
  readonly users: ScimResources;
  readonly groups: ScimResources;
  /** A list response with users, then groups (RFC 7644, 3.4.3). */
  search(query: ScimQuery): Promise<ScimObject>;
}
