import { compareWorlds } from '../test/semantic/oracle/compare-worlds.ts';
import { Coverage } from '../test/semantic/oracle/coverage.ts';
import { type EnginePlatform, openEngine } from '../test/semantic/oracle/engine.ts';
import { startMariadb } from '../test/support/mariadb.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { hasTrino, startCluster } from '../test/support/trino/cluster.ts';
import { FEW_ROWS } from '../test/support/trino/configuration.ts';
import type { Bench, Figures } from './bench.ts';
import { readFigures } from './measure.ts';

// Runs random semantic queries on random models, and compares their rows with those of the oracle, on every engine of
// this machine. The environment variable COMPARISONS is their number (100,000 by default), SEED the first seed, ENGINES
// the platforms (such as `trino,duckdb`; all by default). Fails at the first difference, and at the end if a pair of
// cases was compared too few times.
const FULL = 100_000;
const COMPARISONS = Number(process.env.COMPARISONS ?? FULL);
const SEED = Number(process.env.SEED ?? 10_000);
const WORLDS = 100;
const QUESTIONS = 12;
/**
 * The least number of comparisons of each pair of cases in a full run
 * (docs/reference/semantic-numbers.md#how-the-numbers-are-tested).
 */
const ENOUGH = 500;

/** Compilation that is thorough, because the run is long. */
const TUNING = { jvm: ['-Xmx1G', '-XX:+UseSerialGC'], settings: FEW_ROWS };
/** Most of the time of a cluster's query is waiting: so several sessions compare different worlds at the same time. */
const TRINO_SESSIONS = 5;
const ENGINES = process.env.ENGINES?.split(',');

type Options = Readonly<Record<string, string>>;
type Servers = readonly (readonly [EnginePlatform, Options | undefined])[];
type Plan = Parameters<Coverage['add']>[3];

/** Compares the worlds from a seed on, in one session or several. */
async function compareOn(platform: EnginePlatform, options: Options, from: number, coverage: Coverage) {
  const sessions = platform === 'trino' ? TRINO_SESSIONS : 1;
  const count = WORLDS / sessions;
  const session = async (_: unknown, i: number) => {
    await using engine = await openEngine(platform, options, `comparisons ${i}`);
    const seeds = Array.from({ length: count }, (_, own) => from + i * count + own);
    return await compareWorlds(
      engine,
      { seeds, questions: QUESTIONS },
      (world, question, answer, compiled) => {
        coverage.add(world, question, answer, compiled.plan as Plan);
      },
    );
  };
  const reports = await Promise.all(Array.from({ length: sessions }, session));
  const found = reports.find(({ difference }) => difference !== null);
  if (found !== undefined) throw new Error(found.difference ?? '');
  return sum(reports);
}

type Counts = Readonly<Record<'compared' | 'refused', number>>;

const sum = (counts: readonly Counts[]): Counts => ({
  compared: counts.reduce((total, { compared }) => total + compared, 0),
  refused: counts.reduce((total, { refused }) => total + refused, 0),
});

/** Compares worlds on each engine in turn, until the number of comparisons is reached; returns the counts of each. */
async function compareOnAll(servers: Servers, coverage: Coverage): Promise<ReadonlyMap<string, Counts>> {
  const counts = new Map<string, Counts>();
  for (let from = SEED; sum([...counts.values()]).compared < COMPARISONS; ) {
    for (const [platform, options] of servers) {
      if (options === undefined) continue;
      const own = await compareOn(platform, options, from, coverage);
      counts.set(platform, sum([counts.get(platform) ?? sum([]), own]));
      from += WORLDS;
    }
    console.log(print(counts));
  }
  return counts;
}

const print = (counts: ReadonlyMap<string, Counts>) =>
  [...counts].map(([name, { compared, refused }]) => `${name}: ${compared} and ${refused}`).join(', ');

async function compare(servers: Servers): Promise<void> {
  const coverage = new Coverage();
  const counts = await compareOnAll(servers, coverage);
  const naive = `${coverage.differFromNaive} of ${coverage.compared} with rows differ from a naive join`;
  console.log(`compared and refused by both: ${print(counts)}; ${naive}\n\n${coverage.print()}\n`);
  const rare = coverage.listRare(ENOUGH);
  const missing = `compared fewer than ${ENOUGH} times: ${rare.join(', ') || 'none'}`;
  if (COMPARISONS >= FULL && rare.length > 0) throw new Error(missing);
  console.log(missing);
}

/** Only the servers that the comparisons need. */
const uses = (platform: EnginePlatform) => ENGINES?.includes(platform) ?? true;

const toOptions = (port: number) => ({
  host: '127.0.0.1',
  port: String(port),
  user: 'oracle',
});

async function run(): Promise<Figures> {
  // PostgreSQL is a catalog of Trino, too.
  const [postgresql, mariadb] = await Promise.all([
    uses('postgresql') || uses('trino') ? startPostgresql() : null,
    uses('mysql') ? startMariadb() : null,
  ]);
  const trino =
    uses('trino') && hasTrino && postgresql !== null
      ? await startCluster(postgresql.options, { workers: 2, ...TUNING })
      : null;
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  try {
    const servers: Servers = [
      ['duckdb', { file: ':memory:' }],
      ['postgresql', postgresql?.options],
      ['mysql', mariadb?.options],
      ['trino', trino ? toOptions(trino.options.httpPort) : undefined],
    ];
    await compare(servers.filter(([platform]) => uses(platform)));
    return readFigures(start, cpu);
  } finally {
    await trino?.stop();
    postgresql?.stop();
    mariadb?.stop();
  }
}

export const benches: readonly Bench[] = [
  {
    name: `${COMPARISONS.toLocaleString('en')} semantic queries compared with an oracle`,
    peerName: '',
    runs: 1,
    isWarm: true,
    ours: run,
    limits: [{ metric: 'wall', most: null, compare: 'alone' }],
  },
];
