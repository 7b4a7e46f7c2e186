import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../support/http.ts';
import { makeFolder } from '../../support/quern.ts';
import { rotate, share } from '../../support/rotation.ts';
import { createToken, runQuern, startServer } from '../../support/server.ts';

/** The time limit of a test on a busy machine, in milliseconds. */
const PATIENCE = 400_000;
const SEED = 1;
/** The number of requests for each operation in each phase. */
const MAX_EXAMPLES = 5;

const clients = path.resolve(import.meta.dirname, '../../clients');
const document = path.resolve(import.meta.dirname, '../../../docs/openapi.json');
const program = path.join(clients, '.venv/bin/schemathesis');

if (!existsSync(program)) console.warn('skipped: .ci/run installs schemathesis into test/clients/.venv');

/** Names and ids of a token and its user, which the requests must not delete. */
async function listPreserved(admin: Client, client: Client, userName: string): Promise<string> {
  const tokens = (await client.send('GET', '/manage/tokens')).body as {
    data: { id: string; name: string }[];
  };
  const { id } = (await admin.send('GET', `/manage/users/${userName}`)).body as { id: string };
  return [userName, id, ...tokens.data.flatMap((token) => [token.id, token.name])].join(',').toLowerCase();
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** The ids of the operations that the document describes. */
function listOperations(): readonly string[] {
  const { paths }: Document = JSON.parse(readFileSync(document, 'utf8'));
  return Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  );
}

/** Whom the requests come from, and what they must not delete. */
interface Sender {
  readonly url: string;
  readonly token: string;
  readonly preserved: string;
}

/** Runs every check in these phases; returns how many operations it has tested. */
async function check({ url, token, preserved }: Sender, phases: string, more: readonly string[]) {
  const { exitCode, all } = await execa({
    cwd: makeFolder(),
    reject: false,
    all: true,
    env: {
      SCHEMATHESIS_HOOKS: path.join(clients, 'schemathesis_hooks.py'),
      PYTHONDONTWRITEBYTECODE: '1',
      QUERN_PRESERVED: preserved,
    },
  })(program, [
    ...['--config-file', path.join(clients, 'schemathesis.toml'), 'run', document, '--url', url],
    ...['--header', `Authorization: Bearer ${token}`, '--checks', 'all', '--continue-on-failure'],
    // The test's own check replaces it.
    ...['--exclude-checks', 'ensure_resource_availability'],
    ...['--phases', phases, '--seed', String(SEED), '--workers', '1'],
    // The hooks omit requests that would delete the token and its user.
    ...['--suppress-health-check', 'filter_too_much'],
    ...['--generation-deterministic', '--no-color', ...more],
  ]);
  expect({ exitCode, all: exitCode === 0 ? '' : all }).toEqual({ exitCode: 0, all: '' });
  const [, selected, tested] = /Selected: (\d+)\/\d+\s+Tested: (\d+)/.exec(String(all)) ?? [];
  expect(tested).toBe(selected);
  return Number(tested);
}

const limit = (examples: number) => ['--max-examples', String(examples)];

describe.skipIf(!existsSync(program))('any request that the OpenAPI document allows or forbids', () => {
  // A forbidden request of a viewer is refused before a body is read: edge cases would show nothing more.
  // These phases are for all operations; the others are for those of the run.
  it.each([
    ['admin', 'examples,coverage,stateful'],
    ['viewer', null],
  ])(
    'gets an answer as documented: %s',
    async (userName, phases) => {
      const { server, admin, token } = await startServer();
      if (userName !== 'admin') await runQuern(server.cwd, `user create ${userName} --role VIEWER`);
      const own = userName === 'admin' ? token : await createToken(server.cwd, userName);
      const client = createClient(server.url, own);
      const preserved = await listPreserved(admin, client, userName);
      const sender = { url: server.url, token: own, preserved };
      const operations = listOperations();
      expect(operations.length).toBeGreaterThan(60);
      if (phases !== null)
        expect(await check(sender, phases, limit(share(MAX_EXAMPLES)))).toBe(operations.length);
      const chosen = rotate(operations);
      const ids = chosen.flatMap((id) => ['--include-operation-id', id]);
      expect(await check(sender, 'examples,fuzzing', [...limit(MAX_EXAMPLES), ...ids])).toBe(chosen.length);
      expect((await client.list('')).status).toBe(200);
      expect(server.log()).not.toContain('request failed');
    },
    PATIENCE,
  );
});
