import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeFolder } from '../../support/quern.ts';
import { shareServer } from '../../support/server.ts';

const run = promisify(execFile);
/** The time limit of generators and compilers on a busy machine, in milliseconds. */
const PATIENCE = 240_000;
const clients = path.resolve(import.meta.dirname, '../../clients');
const document = path.resolve(import.meta.dirname, '../../../docs/openapi.json');
const modules = path.join(clients, 'node_modules');
const generator = path.join(modules, 'openapi-typescript/bin/cli.js');
const compiler = path.join(modules, 'typescript/bin/tsc');
const python = path.join(clients, '.venv/bin');

const shared = shareServer();
const environment = () => ({ ...process.env, QUERN_URL: shared.server.url, TOKEN: shared.token });

/** The answers of the ten calls in each language. */
const answers = (user: string) => ({
  statuses: [201, 201, 200, 200, 200, 200, 200, 200, 200, 204],
  names: ['answer'],
  content: 'SELECT 41 AS x',
  rows: [[42]],
  users: [user],
});

if (!existsSync(generator))
  console.warn('skipped: `npm ci --prefix test/clients` installs openapi-typescript');
if (!existsSync(python))
  console.warn('skipped: .ci/run installs openapi-python-client into test/clients/.venv');

it.skipIf(!existsSync(generator))(
  'makes ten calls with the types of openapi-typescript',
  async () => {
    const folder = makeFolder();
    symlinkSync(modules, path.join(folder, 'node_modules'));
    copyFileSync(path.join(clients, 'calls.ts.txt'), path.join(folder, 'calls.ts'));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    await run(process.execPath, [generator, document, '-o', path.join(folder, 'api.ts')], { cwd: folder });
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const target = [
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--skipLibCheck',
      '--lib',
      'es2024,dom,dom.iterable',
    ];
    await run(process.execPath, [compiler, ...strict, ...target, 'calls.ts'], { cwd: folder });
    const { stdout } = await run(process.execPath, ['calls.js'], { cwd: folder, env: environment() });
    expect(JSON.parse(stdout)).toEqual(answers('admin'));
  },
  PATIENCE,
);

it.skipIf(!existsSync(python))(
  'makes ten calls with the client of openapi-python-client',
  async () => {
    const folder = makeFolder();
    const target = ['--output-path', path.join(folder, 'quern_client'), '--meta', 'none'];
    const generate = ['generate', '--path', document, ...target];
    await run(path.join(python, 'openapi-python-client'), generate, { cwd: folder });
    const calls = path.join(clients, 'calls.py');
    const env = { ...environment(), PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(path.join(python, 'python'), [calls], { cwd: folder, env });
    const { parsed, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual(answers('admin'));
    // Each answer has its type, and is not an error.
    expect(parsed).toEqual([
      ...['Folder', 'Asset', 'List', 'Item', 'Asset', 'Result', 'Result', 'ExecutionList', 'UserList'],
      'NoneType',
    ]);
  },
  PATIENCE,
);
