import { setTimeout as sleep } from 'node:timers/promises';

interface Asking extends RequestInit {
  /** A body to post. */
  readonly json?: unknown;
}

/** A client that accepts only expected responses. */
export interface Client {
  /** Resolves with a response of this status; rejects for any other status. */
  ask(status: number, path: string, asking?: Asking): Promise<Response>;
  /** As `ask`, for SQL, on the connection `duckdb` unless another is named. */
  sql(status: number, text: string, asking?: Asking, connection?: string): Promise<Response>;
  /** Runs SQL whose response must contain a text. */
  expectJson(text: string, wanted: string): Promise<void>;
}

/** The client of one user. */
export function createClient(url: string, token: string): Client {
  async function ask(status: number, path: string, { json, ...init }: Asking = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    if (json !== undefined || init.body) headers.set('content-type', 'application/json');
    const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
    const answer = await fetch(`${url}/api/v1${path}`, { ...init, ...body, headers });
    if (answer.status === status) return answer;
    throw new Error(`${path}: ${answer.status} instead of ${status}: ${await answer.text()}`);
  }

  const sql: Client['sql'] = (status, text, asking = {}, name = 'duckdb') =>
    ask(status, '/exec/sql', { ...asking, json: { sql: text, connection: { name } } });

  return {
    ask,
    sql,
    async expectJson(text, wanted) {
      const body = await (await sql(200, text)).text();
      if (!body.includes(wanted)) throw new Error(`${body} lacks ${wanted}`);
    },
  };
}

/** Reads a response to its end, with a pause in milliseconds for each kilobyte. */
export async function readAll(answer: Response, pauseMs = 0): Promise<{ lines: number; bytes: number }> {
  let [lines, bytes] = [0, 0];
  for await (const part of answer.body!) {
    bytes += part.length;
    for (const byte of part) if (byte === 10) lines++;
    if (pauseMs > 0) await sleep((part.length / 1_000) * pauseMs);
  }
  return { lines, bytes };
}
