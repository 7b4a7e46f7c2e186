import { expect } from 'vitest';
import { type Answer, type Client, expectErrorBody, type Sending } from './http.ts';

/** The base of provisioning, below `/api/v1`. */
export const SCIM = '/scim/v2';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
export const LIST = `${MESSAGES}:ListResponse`;
const ERROR = `${MESSAGES}:Error`;
export const PATCH = `${MESSAGES}:PatchOp`;
export const SEARCH = `${MESSAGES}:SearchRequest`;

/** A value with the usual attributes. */
interface Labelled {
  readonly value: string;
  readonly display?: string;
  readonly type?: string;
  readonly primary?: boolean;
}

/** A user or a group in an answer. */
export interface Resource {
  readonly schemas: readonly string[];
  readonly id: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly displayName?: string;
  readonly members?: readonly Labelled[];
  readonly [name: string]: unknown;
}

/** A list response (docs/reference/scim.md#lists). */
export interface ListAnswer {
  readonly schemas: readonly string[];
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly Resource[];
}

/**
 * Expects a failure with the complete body of RFC 7644, 3.12; `scimType` is null for an answer without one.
 */
export function expectScimRefusal(
  answer: Answer,
  status: number,
  scimType: string | null,
  detail: unknown = expect.stringMatching(/./),
): void {
  const { schemas, status: printed, scimType: type, ...body } = answer.body as Record<string, unknown>;
  expect({ status: answer.status, schemas, printed, type: type ?? null, detail: body.detail }).toEqual({
    status,
    schemas: [ERROR],
    printed: String(status),
    type: scimType,
    detail,
  });
  expectErrorBody({ ...answer, body });
  expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8');
}

/** An identity provider, with what the tests use of one. */
export interface Provider {
  /** Below the prefix. */
  send(method: string, target: string, sending?: Sending): Promise<Answer>;
  /** Creates a user and expects success. */
  addUser(userName: string, fields?: object): Promise<Resource>;
  /** Creates a group of these users and expects success. */
  addGroup(displayName: string, members?: readonly string[], fields?: object): Promise<Resource>;
  get(kind: Kind, id: string): Promise<Resource>;
  list(kind: Kind, query?: string): Promise<ListAnswer>;
  /** Sends operations. */
  patch(kind: Kind, id: string, ...operations: readonly object[]): Promise<Answer>;
}

export type Kind = 'Users' | 'Groups';

/** The identity provider with a client's token; it sends SCIM's media type. */
export function createProvider(client: Pick<Client, 'send'>): Provider {
  const send: Provider['send'] = (method, target, { headers, body } = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/scim+json' };
    return client.send(method, `${SCIM}${target}`, { headers: { ...type, ...headers }, body });
  };
  const make = async (kind: Kind, body: object) => {
    const answer = await send('POST', `/${kind}`, { body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body as Resource;
  };
  const read = async (target: string) => {
    const answer = await send('GET', target);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return {
    send,
    addUser: (userName, fields = {}) => make('Users', { schemas: [USER], userName, ...fields }),
    addGroup: (displayName, members = [], fields = {}) =>
      make('Groups', {
        schemas: [GROUP],
        displayName,
        members: members.map((value) => ({ value })),
        ...fields,
      }),
    get: async (kind, id) => (await read(`/${kind}/${id}`)) as Resource,
    list: async (kind, query = '') => (await read(`/${kind}${query}`)) as ListAnswer,
    patch: (kind, id, ...operations) =>
      send('PATCH', `/${kind}/${id}`, { body: { schemas: [PATCH], Operations: operations } }),
  };
}
