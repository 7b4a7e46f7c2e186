import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Answer } from '../../support/http.ts';
import { eventually } from '../../support/waiting.ts';
import type { ExecWorld } from './world.ts';

/** Few rows and much work. */
export const BUSY =
  'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';
/** Asks for an asynchronous execution without waiting. */
export const LATER = { headers: { prefer: 'respond-async' } };

/** An execution, with the properties that most cases check. */
export interface Execution {
  readonly id: string;
  readonly state: string;
  readonly result: string | null;
  readonly error: unknown;
}

/** The execution in an answer that has it instead of a result. */
export function expectAccepted({ status, headers, body, text }: Answer): Execution {
  expect(status, text).toBe(202);
  const execution = body as Execution;
  expect(headers.location).toBe(`/api/v1/executions/${execution.id}`);
  expect(headers['preference-applied']).toBe('respond-async');
  expect(headers['retry-after']).toBe('1');
  return execution;
}

async function look({ ask }: ExecWorld, { id }: Execution, token?: string): Promise<Execution> {
  const answer = await ask('GET', `/api/v1/executions/${id}`, token === undefined ? {} : { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Execution;
}

/** Requests its state until it has ended. */
export async function untilEnded(world: ExecWorld, execution: Execution, token?: string): Promise<Execution> {
  return eventually(async () => {
    const found = await look(world, execution, token);
    expect(['done', 'failed', 'cancelled']).toContain(found.state);
    return found;
  });
}

/** Starts SQL and waits for its end by requesting its state. */
export async function run(world: ExecWorld, sql: string, headers = {}): Promise<Execution> {
  const started = expectAccepted(await world.sql(sql, {}, { headers: { ...LATER.headers, ...headers } }));
  return untilEnded(world, started);
}

/** Requests its result. */
export const fetchResult = (
  { ask }: ExecWorld,
  { id }: Execution,
  headers = {},
  method = 'GET',
  token?: string,
) => ask(method, `/api/v1/executions/${id}/result`, { headers, ...(token === undefined ? {} : { token }) });

/** The existing result files. */
export function listResults({ home }: ExecWorld): readonly string[] {
  const tmp = path.join(home, 'tmp');
  return readdirSync(tmp)
    .filter((name) => name.startsWith('run-'))
    .flatMap((name) => readdirSync(path.join(tmp, name)).map((file) => path.join(tmp, name, file)))
    .filter((file) => /[\da-f-]{36}$/.test(file) && !path.basename(file).startsWith('engine-'))
    .filter((file) => statSync(file).isFile());
}
