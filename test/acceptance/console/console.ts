import { randomUUID } from 'node:crypto';
import { beforeAll, expect } from 'vitest';
import { type Answer, send } from '../../support/http.ts';
import { runQuern, type Shared, shareServer } from '../../support/server.ts';

export const PASSWORD = 'a mill of two stones';

/** A user at the console, with the requests of a browser. */
export interface Visit {
  /** The value of the `Cookie` header. */
  readonly cookie: string;
  readonly csrfToken: string;
  /** Sends a request below `/console/api/`, with the CSRF token unless the headers have another one. */
  send(method: string, target: string, sending?: Sending): Promise<Answer>;
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * One server for all tests of a file, where the administrator and these new users (fields by name) can sign in, and where
 * everyone may use the connection `duckdb`.
 */
export function shareConsole(users: Readonly<Record<string, object>> = {}): Shared {
  const shared = shareServer();
  const allow = async (method: string, target: string, fields: object) => {
    const body = { ...fields, password: PASSWORD };
    const answer = await shared.admin.send(method, `/manage/users${target}`, { body });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  beforeAll(async () => {
    const grant = { subject: 'everyone', level: 'USE', target: 'connection:duckdb' };
    expect((await shared.admin.send('PUT', '/manage/grants', { body: grant })).status).toBe(200);
    await allow('PUT', '/admin', {});
    for (const [name, fields] of Object.entries(users))
      await allow('POST', '', { user_name: name, ...fields });
  });
  return shared;
}

/** Creates a user who can sign in. */
export async function createUser(cwd: string, name: string, ...options: readonly string[]): Promise<void> {
  await runQuern(cwd, ['user', 'create', name, '--password-stdin', ...options], `${PASSWORD}\n`);
}

/** Gives a user another password, or the default one; sessions of the user end. */
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

/** The cookie of an answer, with its attributes. */
export function readCookie({ headers }: Answer): string | undefined {
  expect(headers['set-cookie']?.length ?? 0).toBeLessThan(2);
  return headers['set-cookie']?.[0];
}

/** Creates a token at the console; returns its value and its id. */
export async function makeToken(visit: Visit, fields: object = {}): Promise<{ token: string; id: string }> {
  const body = { name: randomUUID(), ...fields };
  const answer = await visit.send('POST', 'manage/tokens', { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as { token: string; id: string };
}
