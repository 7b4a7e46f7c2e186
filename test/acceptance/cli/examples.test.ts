import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../../src/cli/context/command.ts';
import { COMMANDS } from '../../../src/cli/table/commands.ts';
import { makeMetadata } from '../../identity/saml/saml-world.ts';
import { makeFolder, writeFiles } from '../../support/quern.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const commands: readonly Command[] = COMMANDS;

const FILES = {
  'report.sql': 'SELECT $year::INT AS year',
  'orders.csv': 'id,amount\n1,2.50\n',
  'prices.csv': 'id;price\n1;2.50\n',
  'export.csv': 'id;price;day\n1;1.234,50;03.02.2026\n',
  'more.csv': 'id,amount\n2,3.50\n',
  'data/stations.csv': 'id\n1\n',
  'people.txt': 'ada\nbob\n',
  'changes.json': '{"changes": [{"target": "@Shared", "subject": "user:ada", "level": "MANAGE"}]}',
  'password.txt': 'a long password that nothing else has\n',
  'query.json':
    '{"dimensions": [{"entity": "airports", "field": "state"}], "measures": [{"entity": "airports", "field": "airports"}]}',
  'shop/orders.sql': "#+src sql Orders(status)\n#+begin SELECT '{{ status }}' AS status #+end\n",
  'shop/daily.sql':
    '#+src sql Daily()\n#+meta { :publication { :type "table", :name "daily" } }\n#+begin SELECT * FROM {{ Orders("open") }} #+end\n',
  'cubes/orders.yml':
    'cubes:\n  - name: orders\n    sql_table: orders\n    measures: [{ name: orders, type: count }]\n',
};
const CERTIFICATE =
  'openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=localhost -days 2';
const PEOPLE = ['quern user create ada', 'quern user create bob', 'quern group create analysts'];
const REPORT = ['quern catalog mkdir @Shared/shop', 'quern catalog put report.sql @Shared/report'];
const WAREHOUSE =
  'quern connection create warehouse --kind postgresql --set host=127.0.0.1 --set port=1 --set user=quern';
const BASE_URL = 'quern config set server.base_url https://quern.example.org';
const SAML = ['quern sso saml set --metadata idp.xml --metadata-refresh off'];

/** The commands that create the objects in the examples of a command, by the first words of its name. */
const SET_UP: Readonly<Record<string, readonly string[]>> = {
  load: [
    `cp ${path.resolve(import.meta.dirname, '../../../fixtures/workbooks/budget.xlsx')} .`,
    'mkdir sales',
    "quern sql 'SELECT 1 AS n' --output sales/a.parquet",
  ],
  'catalog get': REPORT,
  'catalog log': REPORT,
  'catalog show': REPORT,
  'catalog restore': REPORT,
  'catalog purge': [...REPORT, "echo 'SELECT 2' | quern catalog put - @Shared/report"],
  'catalog mv': [...REPORT, 'quern catalog mkdir @Shared/finance'],
  'catalog rm': [
    'quern catalog mkdir @Shared/finance',
    'quern catalog put report.sql @Shared/finance/report',
  ],
  'catalog undelete': [...REPORT, 'quern catalog rm @Shared/report --yes'],
  'connection test': [WAREHOUSE],
  'connection set': [WAREHOUSE],
  'connection rm': ['quern connection create shop --kind duckdb --set file=shop.duckdb'],
  'config unset': ['quern config set server.port 9000'],
  'user set': PEOPLE,
  'user rm': PEOPLE,
  'user stop': PEOPLE,
  'user changes': PEOPLE,
  'user sessions': PEOPLE,
  'user invite': [...PEOPLE, BASE_URL],
  'user revoke-invitation': [BASE_URL, 'quern user invite ivy'],
  'group set': PEOPLE,
  'group members': PEOPLE,
  'group add-member': PEOPLE,
  'group remove-member': [...PEOPLE, 'quern group add-member analysts bob'],
  'group rm': PEOPLE,
  'token create': PEOPLE,
  'token ls': PEOPLE,
  'token rm': ['quern token create --name ci'],
  'grant levels': PEOPLE,
  'grant apply': PEOPLE,
  'grant add': [...PEOPLE, ...REPORT],
  'grant rm': [...PEOPLE, ...REPORT, 'quern grant add user:ada edit @Shared/shop'],
  'grant restrict': REPORT,
  'grant explain': [...PEOPLE, ...REPORT],
  exec: REPORT,
  'sso saml show': SAML,
  'sso saml test': SAML,
  'sso saml rm': SAML,
  'sso saml refresh-metadata': SAML,
  'sso saml apply-metadata': SAML,
  'sso saml renew-certificate': SAML,
  'sso saml activate-certificate': [...SAML, 'quern sso saml renew-certificate'],
  'sso saml metadata': SAML,
  'sso saml certificate': SAML,
  'sso saml link': [...SAML, 'quern user set admin --email boss@example.org'],
  'sso saml unlink': [...SAML, 'quern sso saml link admin boss@example.org'],
  'admin reset-password': PEOPLE,
  'admin restore': ['quern admin backup home.tgz'],
  serve: [CERTIFICATE],
  ui: ['quern catalog mkdir @Shared/reports', 'quern catalog put report.sql @Shared/reports/monthly'],
};

/** Examples that refer to objects that do not exist in the test, with their exit code and message. */
const REFUSED: Readonly<Record<string, readonly [number, RegExp]>> = {
  'quern kill 0197a1b2-c3d4-7000-8000-000000000001': [5, /no server runs on this home/],
  'quern catalog put report.sql @Shared/report --if-match 1': [1, /Entity has been modified/],
  'quern connection test warehouse --set database=archive': [5, /Nothing answers at 127\.0\.0\.1:1/],
  'quern admin backup rm quern-backup-2026-03-01T12-00-00-000Z.tar': [1, /Backup not found/],
  'quern repl': [2, /needs a terminal/],
  'quern repl --connection duckdb --expanded': [2, /needs a terminal/],
  'quern sso saml refresh-metadata': [1, /URL/],
  'quern sso saml refresh-metadata --json': [1, /URL/],
  'quern sso saml unlink --entity-id https://former.example.org/metadata --yes': [1, /No identity is linked/],
  'quern sso saml apply-metadata': [1, /no changed metadata/],
  'quern sso saml apply-metadata --yes': [1, /no changed metadata/],
};

/** Commands that run until they are interrupted, with their output when they are ready. */
const LASTING: Readonly<Record<string, RegExp>> = {
  serve: /listening on/,
  ui: /open this file/,
  'sso saml test': /open this link/,
};

let home = '';
let env: Readonly<Record<string, string>> = {};
/** Folders in which some lines of SET_UP have run, by these lines. */
const prepared = new Map<string, Promise<string>>();

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'quern-examples-'));
  mkdirSync(path.join(home, 'bin'));
  writeFileSync(path.join(home, 'bin/quern'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  // No example may open a browser.
  writeFileSync(path.join(home, 'bin/xdg-open'), '#!/bin/sh\nexit 3\n');
  for (const name of ['quern', 'xdg-open']) chmodSync(path.join(home, 'bin', name), 0o755);
  env = {
    HOME: home,
    QUERN_HOME: '',
    QUERN_PORT: '0',
    QUERN_BASE_URL: 'https://quern.example.org',
    DWH_PASSWORD: 'secret',
    PATH: `${path.join(home, 'bin')}:${process.env.PATH}`,
  };
  await run('quern demo template', home);
  const template = path.join(home, 'template');
  cpSync(path.join(template, 'project/semantic'), path.join(template, 'models'), { recursive: true });
  writeFiles(template, { ...FILES, 'idp.xml': await makeMetadata() });
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const run = (line: string, cwd: string) =>
  execa('bash', ['-c', line], { cwd, env, reject: false, stripFinalNewline: false, input: '' });

/** A copy of the sample project, after the lines of SET_UP have run. */
async function makeProject(name: string): Promise<string> {
  const cwd = path.join(makeFolder(), 'work');
  await copy(await prepare(SET_UP[name] ?? []), cwd);
  return cwd;
}

/** The sample project after these lines, which many commands share, and which run once. */
function prepare(lines: readonly string[]): Promise<string> {
  const key = lines.join('\n');
  const folder = prepared.get(key) ?? runSetUp(lines);
  prepared.set(key, folder);
  return folder;
}

async function runSetUp(lines: readonly string[]): Promise<string> {
  const line = lines.at(-1);
  if (line === undefined) return path.join(home, 'template');
  const cwd = path.join(home, `prepared-${prepared.size}`);
  await copy(await prepare(lines.slice(0, -1)), cwd);
  const { exitCode, stderr } = await run(line, cwd);
  expect({ exitCode, stderr }, line).toMatchObject({ exitCode: 0 });
  return cwd;
}

/** Keeps the permissions of the home. */
const copy = (from: string, to: string) => run(`cp -a "${from}" "${to}"`, home);

/** Starts a command, waits for its output when it is ready, and interrupts it. */
async function runUntil(line: string, ready: RegExp, cwd: string): Promise<string> {
  const child = spawn('bash', ['-c', `exec ${line.replace(/--port \d+/, '--port 0')}`], { cwd, env });
  let text = '';
  const ended = once(child, 'close');
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      text += String(part);
      if (ready.test(text)) child.kill('SIGINT');
    });
  }
  await ended;
  return text;
}

describe('the examples of help', () => {
  it('exist for every command, and none appears twice', () => {
    const all = commands.flatMap(({ examples }) => examples);
    expect(commands.filter(({ examples }) => examples.length === 0)).toEqual([]);
    expect(all.length).toBe(new Set(all).size);
    expect(commands.filter(({ name, examples }) => !examples.some((own) => own.includes(name)))).toEqual([]);
  });

  it.each(commands)('of `quern $name` run', async ({ name, examples }) => {
    const cwd = await makeProject(name);
    for (const line of examples) {
      const ready = LASTING[name];
      if (ready !== undefined) {
        expect(await runUntil(line, ready, cwd), line).toMatch(ready);
        continue;
      }
      const { exitCode, stderr } = await run(line, cwd);
      const [code, message] = REFUSED[line] ?? [0, /^(?!error)/];
      expect({ exitCode, stderr }, line).toEqual({ exitCode: code, stderr: expect.stringMatching(message) });
    }
  });
});
