import { expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/engine/connection/contract/kind.ts';
import { postgresqlKind } from '../../../../src/engine/connection/postgresql/kind.ts';
import { isLocalHost } from '../../../../src/engine/connection/server/options.ts';
import { readTls } from '../../../../src/engine/connection/server/tls.ts';

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['/run/postgresql', true],
  ['127.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['127.1', false],
  ['localhost.evil.example', false],
  ['10.0.0.1', false],
  ['::2', false],
])('a connection to %s stays on this machine: %s', async (host, isOwn) => {
  expect(isLocalHost(host)).toBe(isOwn);
  // The password goes to any other host in encrypted form only.
  const options = resolveOptions(postgresqlKind, { options: { host, user: 'ann' }, overrides: {} });
  expect((await readTls(options)) === null).toBe(isOwn);
});
