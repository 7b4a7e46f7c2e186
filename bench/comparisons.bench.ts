import { compareWorlds } from '../test/semantic/oracle/compare-worlds.ts';
import { Coverage } from '../test/semantic/oracle/coverage.ts';
import { type EnginePlatform, openEngine } from '../test/semantic/oracle/engine.ts';
import { startMariadb } from '../test/support/mariadb.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { hasTrino, startCluster } from '../test/support/trino/cluster.ts';
import type { Bench, Figures } from './bench.ts';
import { readFigures } from './measure.ts';

// Runs random semantic queries on random models, and compares their rows with those of the oracle, on every engine of
// this machine. The environment variable COMPARISONS is their number (100,000 by default), SEED the first seed. Fails at
// the first difference, and at the end if a pair of cases was compared too few times.
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

type Servers = readonly (readonly [EnginePlatform, Readonly<Record<string, string>> | undefined])[];
type Plan = Parameters<Coverage['add']>[3];

/** Compares worlds on each engine in turn, until the number of comparisons is reached. */
async function compare(servers: Servers): Promise<void> {
  const coverage = new Coverage();
  let [compared, refused, from] = [0, 0, SEED];
  while (compared < COMPARISONS) {
    for (const [platform, options] of servers) {
      if (options === undefined) continue;
      await using engine = await openEngine(platform, options, 'comparisons');
      const seeds = { from, count: WORLDS, questions: QUESTIONS };
      const report = await compareWorlds(engine, seeds, (world, question, answer, compiled) => {
        coverage.add(world, question, answer, compiled.plan as Plan);
      });
      if (report.difference !== null) throw new Error(report.difference);
      compared += report.compared;
      refused += report.refused;
      from += WORLDS;
    }
  }
  const naive = `${coverage.differFromNaive} of ${coverage.compared} with rows differ from a naive join`;
  console.log(`${compared} compared and ${refused} refused by both, ${naive}\n\n${coverage.print()}\n`);
  const rare = coverage.listRare(ENOUGH);
  const missing = `compared fewer than ${ENOUGH} times: ${rare.join(', ') || 'none'}`;
  if (COMPARISONS >= FULL && rare.length > 0) throw new Error(missing);
  console.log(missing);
}

async function run(): Promise<Figures> {
  const [postgresql, mariadb] = await Promise.all([startPostgresql(), startMariadb()]);
  const trino = hasTrino && postgresql !== null ? await startCluster(postgresql.options) : null;
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  try {
    await compare([
      ['duckdb', { file: ':memory:' }],
      ['postgresql', postgresql?.options],
      ['mysql', mariadb?.options],
      [
        'trino',
        trino ? { host: '127.0.0.1', port: String(trino.options.httpPort), user: 'oracle' } : undefined,
      ],
    ]);
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
