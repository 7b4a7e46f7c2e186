import { existsSync } from 'node:fs';
import path from 'node:path';
import { compileQuery } from '../src/semantic/compile/compile-query.ts';
import { readModel } from '../src/semantic/model/load/read-model.ts';
import type { Bench, Figures } from './bench.ts';
import { measureShare } from './measure.ts';
import { openCube } from './peers/cube.ts';
import { openMalloy } from './peers/malloy.ts';
import { createQuestion, printModel, WAREHOUSE } from './warehouse.ts';

// Compares the time to compile a semantic query to a model of 200 entities and 5,000 fields with that of other compilers.
// No query is repeated, so that no compiler uses a cache.
const ROUNDS = 500;
/** For the slow compilers. */
const FEW = 25;
const JOINS = 6;

const { index } = readModel([printModel(WAREHOUSE)]);
const ask = (round: number) => createQuestion(`a${round}`);
const compile = (round: number) => compileQuery(index!, ask(round), { dialect: 'duckdb', strict: false }).sql;

async function listBenches(): Promise<readonly Bench[]> {
  const malloy = await openMalloy(WAREHOUSE);
  const toCube = await openCube(WAREHOUSE);
  const print = await malloy.prepare(ask(0));
  const peers = [
    { name: "Cube's schema compiler", rounds: ROUNDS, work: (round: number) => toCube(ask(round)) },
    { name: "Malloy's compiler", rounds: FEW, work: (round: number) => malloy.compile(ask(round)) },
    { name: "Malloy's compiler, with the query already parsed", rounds: ROUNDS, work: print },
  ];
  for (const { name, work } of [{ name: 'Quern', work: compile }, ...peers]) {
    const joins = (await work(0)).match(/(?:LEFT|INNER) JOIN/g)?.length;
    if (joins !== JOINS) throw new Error(`${name} makes ${joins} joins`);
  }
  let asked = 0;
  const measure = (work: (round: number) => unknown, rounds: number) => (): Promise<Figures> => {
    return measureShare(() => work(asked++), 0.5, rounds);
  };
  return peers.map(({ name, rounds, work }) => ({
    name: `1,000 × a semantic query of 5 measures, 5 dimensions and 6 joins compiled, median ÷ ${name}`,
    peerName: name,
    runs: 5,
    ours: measure(compile, ROUNDS),
    peer: measure(work, rounds),
    limits: [{ metric: 'wall', most: 1 }],
  }));
}

const isInstalled = existsSync(path.join(import.meta.dirname, 'peers/node_modules'));
if (!isInstalled) {
  console.log('other compilers are skipped: npm ci --ignore-scripts --prefix bench/peers installs them');
}

export const benches: readonly Bench[] = isInstalled ? await listBenches() : [];
