import type { ScimObject } from './resource.ts';

/** The attributes of a response (RFC 7644, 3.9); names may be in any case, and unknown names are ignored. */
export interface Projection {
  readonly attributes?: readonly string[] | undefined;
  readonly excludedAttributes?: readonly string[] | undefined;
}

/** The parameters of a list (docs/reference/scim.md#finding); the service checks the numbers. */
export interface ScimQuery extends Projection {
  readonly filter?: string | undefined;
  readonly startIndex?: string | number | undefined;
  readonly count?: string | number | undefined;
}

/** The response for one resource. */
export interface ScimAnswer {
  readonly id: string;
  /** The entity tag, as in `W/"3"`. */
  readonly version: string;
  /** The resource's URL. */
  readonly location: string;
  /** With the requested attributes; null when it is too large and the request names no attributes. */
  readonly resource: ScimObject | null;
}

/** The options of a change, besides its body. */
export interface ScimChange {
  /** The header `If-Match`. */
  readonly ifMatch?: string | undefined;
  readonly projection: Projection;
}

/**
 * The users, or the groups, of a home for an identity provider (docs/reference/scim.md#routes). Each call is one
 * transaction. All throw 403 when the caller is not an administrator, 404 for an unknown id, 412 when the entity tag
 * is not the current one, and a `ScimError` for errors that have a `scimType` in RFC 7644.
 */
export interface ScimResources {
  /** A list response (docs/reference/scim.md#lists). */
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
