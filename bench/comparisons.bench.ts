import { compareWorlds } from '../test/semantic/oracle/compare-worlds.ts';
import { Coverage } from '../test/semantic/oracle/coverage.ts';
import { type EnginePlatform, openEngine } from '../test/semantic/oracle/engine.ts';
import { startMariadb } from '../test/support/mariadb.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import type { Bench, Figures } from './bench.ts';
import { readFigures } from './measure.ts';

// Random questions to random models, their rows compared with those of the oracle on every engine of this machine.
// COMPARISONS in the environment says how many, 100,000 without; SEED where they begin. Fails at the first difference.
const COMPARISONS = Number(process.env.COMPARISONS ?? 100_000);
const SEED = Number(process.env.SEED ?? 10_000);
const WORLDS = 100;
const QUESTIONS = 12;
/** How often each pair of cases ought to be compared (semantic 7). */
const ENOUGH = 500;

const [postgresql, mariadb] = await Promise.all([startPostgresql(), startMariadb()]);
process.on('exit', () => {
  postgresql?.stop();
  mariadb?.stop();
});

const ENGINES: readonly (readonly [EnginePlatform, Readonly<Record<string, string>> | undefined])[] = [
  ['duckdb', { file: ':memory:' }],
  ['postgresql', postgresql?.options],
  ['mysql', mariadb?.options],
];

type Plan = Parameters<Coverage['add']>[3];

/** Worlds of one engine after the other's, until there were enough comparisons. */
async function compare(): Promise<Figures> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const coverage = new Coverage();
  let [compared, refused, from] = [0, 0, SEED];
  while (compared < COMPARISONS) {
    for (const [platform, options] of ENGINES) {
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
  const rare = coverage.list().filter(([, count]) => count < ENOUGH);
  const naive = `${coverage.differFromNaive} of ${coverage.compared} with rows differ from a naive join`;
  console.log(`${compared} compared and ${refused} refused alike, ${naive}`);
  console.log(
    `fewer than ${ENOUGH}: ${rare.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'}`,
  );
  return readFigures(start, cpu);
}

export const benches: readonly Bench[] = [
  {
    name: `${COMPARISONS.toLocaleString('en')} questions to semantic models and the rows of an oracle`,
    peerName: '',
    runs: 1,
    isWarm: true,
    ours: compare,
    limits: [{ metric: 'wall', most: null, compare: 'alone' }],
  },
];
