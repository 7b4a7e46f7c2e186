import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench, Figures } from './bench.ts';
import { measureProcess } from './measure.ts';
import { load, type Served, start } from './served.ts';

// Compares this build with an older one, in turn and from outside: by its command line and over HTTP. The environment
// variable OLDER is the folder of the older one, a checkout that is built.
const RUNS = 9;
/** The builds differ only if a figure differs by more. */
const TOLERANCE = 1.05;
const TESTS = 200;
const ROWS = 1_000_000;

const { OLDER = '' } = process.env;
if (!existsSync(path.join(OLDER, 'dist')))
  throw new Error('OLDER must be a checkout with a build (npm run build)');
const folder = mkdtempSync(path.join(tmpdir(), 'quern-builds-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A build with its sample project and its server. */
interface Build extends Served {
  readonly quern: string;
  readonly project: string;
}

function run(quern: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [quern, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`quern ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Tests on a chain of blocks, so that the language is measured as well as the engine. */
function printTests(): string {
  const blocks = Array.from({ length: TESTS }, (_, number) => {
    const from = number % 20 === 0 ? '(SELECT 1 AS n)' : `{{ Step${number - 1}() }}`;
    const step = `#+src sql Step${number}()\n#+begin\n  SELECT n FROM ${from}\n#+end\n`;
    return `${step}#+test sql IsOne${number}()\n#+begin\n  SELECT * FROM {{ Step${number}() }} WHERE n <> 1\n#+end\n`;
  });
  return blocks.join('\n');
}

async function open(name: string, checkout: string): Promise<Build> {
  const quern = path.join(checkout, 'bin/quern.js');
  const project = path.join(folder, name);
  run(quern, ['demo', project], folder);
  writeFileSync(path.join(project, 'project/chains.sql'), printTests());
  const token = run(quern, ['token', 'create', '--name', 'bench'], project);
  const home = path.join(project, '.quern');
  return {
    ...(await start({ home, token }, [quern, 'serve', '--port', '0', '--home', home])),
    quern,
    project,
  };
}

/** One figure of either build. */
type Measure = (build: Build) => () => Promise<Figures>;

const command =
  (...args: readonly string[]): Measure =>
  ({ quern, project }) =>
  () =>
    measureProcess(process.execPath, [quern, ...args], project);

const requests =
  (repeat: number, method: string, target: string, body?: unknown): Measure =>
  (server) =>
    load({ server, repeat, connections: 4, method, path: `/api/v1${target}`, body });

const sql = (text: string) => ({ sql: text, connection: { name: 'duckdb' } });

/** The time of one response that is read to its end. */
const download =
  (format: string): Measure =>
  ({ port, token }) =>
  async () => {
    const begin = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/exec/sql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: format },
      body: JSON.stringify(
        sql(`SELECT range AS id, 'row ' || range AS name, range / 7 AS share FROM range(${ROWS})`),
      ),
    });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.body!.pipeTo(new WritableStream());
    return { wall: performance.now() - begin, cpu: Number.NaN, peak: Number.NaN };
  };

/** The memory of the server after everything else, in megabytes. */
const readMemory: Measure =
  ({ pid }) =>
  async () => {
    const [, size] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    return { wall: Number.NaN, cpu: Number.NaN, peak: Number(size) / 1024 };
  };

const question = {
  connection_name: 'flights',
  query: {
    dimensions: [{ entity: 'airports', field: 'state' }],
    measures: [
      { entity: 'routes', field: 'routes' },
      { entity: 'flights', field: 'flights' },
    ],
  },
};
const script = '/catalog/by-path/%40Shared%2Fflights%2Fnightly';
const created = { parent_path: '@Personal', name: 'script #', content: 'SELECT 1' };
const provisioned = { userName: 'new-#', name: { givenName: 'New', familyName: 'User' } };

const [ours, older] = [
  await open('ours', path.resolve(import.meta.dirname, '..')),
  await open('older', OLDER),
];

/** Warms the servers up, because their code is compiled during the first requests. */
for (const server of [ours, older]) await requests(30_000, 'GET', script)(server)();

const compare = (name: string, measure: Measure, metrics: readonly (keyof Figures)[] = ['wall']): Bench => ({
  name: `${name} ÷ the older build`,
  peerName: 'older',
  runs: RUNS,
  ours: measure(ours),
  peer: measure(older),
  limits: metrics.map((metric) => ({ metric, most: TOLERANCE })),
});

const SERVER = ['wall', 'cpu'] as const;
export const benches: readonly Bench[] = [
  compare('quern --version', command('--version')),
  compare("quern sql 'SELECT 42'", command('sql', 'SELECT 42')),
  compare('quern exec of a script', command('exec', '@Shared/flights/nightly')),
  compare('quern check', command('check', 'project')),
  compare(`quern test, ${TESTS} tests`, command('test', 'project')),
  compare('quern semantic query', command('semantic', 'query', '--measures', 'flights.flights')),
  compare('3,200 × SELECT 42 over HTTP', requests(3_200, 'POST', '/exec/sql', sql('SELECT 42')), SERVER),
  compare('16,000 reads by path', requests(16_000, 'GET', script), SERVER),
  compare('1,000 scripts created', requests(1_000, 'POST', '/catalog/assets', created), SERVER),
  compare(
    '4,000 × SQL of a question',
    requests(4_000, 'POST', '/semantic-layer/codegen/sql', question),
    SERVER,
  ),
  compare('1,000 users provisioned', requests(1_000, 'POST', '/scim/v2/Users', provisioned), SERVER),
  compare('a million rows as CSV', download('text/csv')),
  compare('a million rows as JSON', download('application/json')),
  compare('a million rows as Arrow', download('application/vnd.apache.arrow.stream')),
  compare('peak memory of the server', readMemory, ['peak']),
];
