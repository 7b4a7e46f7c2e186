import { expect } from 'vitest';
import { type Client, createClient } from '../../support/http.ts';
import { type ListAnswer, type Resource, SCIM } from '../../support/scim.ts';
import { createToken, type Shared } from '../../support/server.ts';

/** The requests of an identity provider, with the answers that it needs. */
export interface Conversation {
  /** Sends a request, expects a status, and returns the body of the answer. */
  ask(status: number, method: string, target: string, body?: unknown): Promise<Resource>;
  /** Requests a list, and expects one. */
  list(target: string): Promise<ListAnswer>;
  /** Sends operations, and expects success. */
  patch(target: string, ...operations: readonly object[]): Promise<Resource>;
}

/** The client of an identity provider: an administrator's token with the scope `scim`. */
export async function createScimClient({ server }: Shared): Promise<Client> {
  return createClient(server.url, await createToken(server.cwd, 'admin', '--scope', 'scim'));
}

/** A conversation of a client that sends these headers with each request. */
export function startConversation(
  client: Pick<Client, 'send'>,
  headers: Readonly<Record<string, string>>,
): Conversation {
  const ask: Conversation['ask'] = async (status, method, target, body) => {
    const answer = await client.send(method, `${SCIM}${target}`, { headers, body });
    expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.any(String) });
    if (answer.text !== '') expect(answer.headers['content-type']).toMatch(/^application\/scim\+json/);
    return answer.body as Resource;
  };
  return {
    ask,
    list: async (target) => {
      const { Resources, ...rest } = (await ask(200, 'GET', target)) as unknown as ListAnswer;
      expect(rest).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: expect.any(Number),
        itemsPerPage: Resources.length,
        startIndex: expect.any(Number),
      });
      return { Resources, ...rest };
    },
    patch: (target, ...operations) =>
      ask(200, 'PATCH', target, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: operations,
      }),
  };
}

/** A value of the query of a URL. */
export const encode = encodeURIComponent;
