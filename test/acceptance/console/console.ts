import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Answer, send } from '../../support/http.ts';
import { runQuern } from '../../support/server.ts';

export const PASSWORD = 'a mill of two stones';

/** Somebody at the console, as a browser speaks for them. */
export interface Visit {
  /** As the `Cookie` header has it. */
  readonly cookie: string;
  readonly csrfToken: string;
  /** Below `/console/api/`; with the CSRF token, unless the headers have another. */
  send(method: string, target: string, sending?: Sending): Promise<Answer>;
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Makes a user who can sign in. */
export async function createUser(cwd: string, name: string, ...options: readonly string[]): Promise<void> {
  await runQuern(cwd, ['user', 'create', name, ...options]);
  await setPassword(cwd, name);
}

/** Gives a user another password, or the usual one; sessions of the user end. */
export async function setPassword(cwd: string, name: string, password = PASSWORD): Promise<void> {
  await runQuern(cwd, ['user', 'set', name, '--password-stdin'], `${password}\n`);
}

/** Sends a request to `sign-in`. */
export function askToSignIn(url: string, body: unknown, headers: Sending['headers'] = {}): Promise<Answer> {
  return send(url, 'POST', '/console/api/sign-in', { headers, body });
}

/** Signs in. */
export async function signIn(url: string, login = 'admin', headers: Sending['headers'] = {}): Promise<Visit> {
  const answer = await askToSignIn(url, { login, password: PASSWORD }, headers);
  expect(answer.status, answer.text).toBe(200);
  const { csrf_token: csrfToken } = answer.body as { csrf_token: string };
  const cookie = readCookie(answer)!.split(';', 1)[0]!;
  return {
    cookie,
    csrfToken,
    send: (method, target, sending = {}) =>
      send(url, method, `/console/api/${target}`, {
        ...sending,
        headers: { ...headers, cookie, 'x-csrf-token': csrfToken, ...sending.headers },
      }),
  };
}

/** The cookie that an answer sets, with its attributes. */
export function readCookie({ headers }: Answer): string | undefined {
  expect(headers['set-cookie']?.length ?? 0).toBeLessThan(2);
  return headers['set-cookie']?.[0];
}

/** Makes a token at the console; its value and its id. */
export async function makeToken(visit: Visit, fields: object = {}): Promise<{ token: string; id: string }> {
  const body = { name: randomUUID(), expires: '30d', ...fields };
  const answer = await visit.send('POST', 'tokens', { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as { token: string; id: string };
}
