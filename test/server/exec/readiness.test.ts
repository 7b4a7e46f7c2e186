import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

async function readReady({ ask }: ExecWorld): Promise<unknown> {
  const { status, body } = await ask('GET', '/health/ready', { token: null });
  const { code, warnings } = body as { code?: string; warnings?: readonly string[] };
  return [status, code ?? warnings];
}

it('the server stays ready with a warning after a failed start of the engine, and is not ready when the engine cannot start', async () => {
  const world = await createExecWorld();
  expect(await readReady(world)).toEqual([200, undefined]);
  // The engine starts in this folder.
  const files = path.join(world.home, 'files');
  rmSync(files, { recursive: true });
  const lost = await world.sql('SELECT 1');
  expectRefusal(lost, 503, "the engine could not be started; see the server's log");
  expect(await readReady(world)).toEqual([200, ['the engine process is starting again']]);
  await expect.poll(() => readReady(world)).toEqual([503, 'engine_unavailable']);
  mkdirSync(files);
  // Only the health route requests the state.
  await expect.poll(() => readReady(world)).toEqual([200, undefined]);
  expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
});
