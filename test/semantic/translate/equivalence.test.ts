import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type AskedModel, createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { startClickHouse } from '../../support/clickhouse.ts';
import { startGoogleSql } from '../../support/googlesql.ts';
import { rotateTo, runsAll } from '../../support/rotation.ts';
import { type Answer, createAnswer } from '../oracle/answer.ts';
import { createClickHouseEngine, keepDays } from '../oracle/clickhouse-engine.ts';
import { findDifference } from '../oracle/compare.ts';
import { type Engine, type EnginePlatform, type OraclePlatform, openEngine } from '../oracle/engine.ts';
import { createGoogleEngine } from '../oracle/google-engine.ts';
import { NoAnswer } from '../oracle/join-tree.ts';
import { answerLeveledQuestion, createLeveledQuestion, printLeveledQuestion } from '../oracle/levels.ts';
import { keepPlain, printStatement } from '../oracle/print-statement.ts';
import { createRandom, type Random } from '../oracle/random.ts';
import { createQuestion } from '../oracle/random-question.ts';
import { createWorld } from '../oracle/random-world.ts';
import {
  answerStatementQuestion,
  createStatementQuestion,
  printStatementQuestion,
} from '../oracle/statement.ts';
import { toModel, type World } from '../oracle/world.ts';

/** The number of worlds, and of statements to each, on each platform. */
const WORLDS = Number(process.env.QUERN_STATEMENT_WORLDS ?? 28);
const STATEMENTS = 9;
const ONLY = process.env.QUERN_STATEMENT_ENGINE ?? '';

const SERVERS: readonly (readonly [EnginePlatform, Readonly<Record<string, string>> | null])[] = [
  ['duckdb', { file: ':memory:' }],
  ['postgresql', inject('postgresql')],
  ['mysql', inject('mariadb')],
];
const [google, clickhouse] = [await startGoogleSql(), startClickHouse()];

/** How to open the engine of each platform; null without an engine. */
const ENGINES: readonly (readonly [OraclePlatform, (() => Promise<Engine> | Engine) | null])[] = [
  ...SERVERS.map(([platform, options]) => {
    return [
      platform,
      options && (() => openEngine(platform, options, `statements of ${process.pid}`)),
    ] as const;
  }),
  ['bigquery', google && (() => createGoogleEngine(google))],
  ['clickhouse', clickhouse && (() => createClickHouseEngine(clickhouse))],
];

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

function attempt<T>(run: () => T, Refusal: new (...args: never[]) => Error): T | Error {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** A statement and its expected rows. */
interface Case {
  readonly text: string;
  answer(): Answer;
}

const KINDS = ['query', 'scalar', 'levels'] as const;

/** A structured query as SQL, or a statement that only SQL can express. */
function createCase(world: World, random: Random, kind: (typeof KINDS)[number]): Case {
  if (kind === 'levels') {
    const question = createLeveledQuestion(world, random);
    if (question === null) return createCase(world, random, kind);
    return { text: printLeveledQuestion(question), answer: () => answerLeveledQuestion(world, question) };
  }
  if (kind === 'scalar') {
    const question = createStatementQuestion(world, random);
    return { text: printStatementQuestion(question), answer: () => answerStatementQuestion(world, question) };
  }
  const query = keepPlain(world, createQuestion(world, random));
  return { text: printStatement(world, query, random), answer: () => createAnswer(world, query, false) };
}

/** ClickHouse's errors for unsupported joins, and for a table with the name of another table's column. */
const UNJOINED = /INVALID_JOIN_ON_EXPRESSION|AMBIGUOUS_IDENTIFIER/;

/** Whether a statement returns the expected rows, or both are refused; otherwise the difference. */
async function compare(engine: Engine, asked: AskedModel, { text, answer }: Case) {
  const due = attempt(answer, NoAnswer);
  if (due instanceof NoAnswer && due.kind === 'unspecified') return 'unspecified';
  const got = attempt(() => answerStatements(asked, parse(text), { strict: false }), SemanticSqlError);
  if (got instanceof Error) return due instanceof Error ? 'refused' : got.message;
  if (due instanceof Error) return `it is not refused: ${due.message}`;
  const [{ sql } = { sql: '' }] = got;
  const result = await engine.run(sql).catch((error: Error) => `${error.message}\n${sql}`);
  if (typeof result === 'string') return UNJOINED.test(result) ? 'unspecified' : result;
  const difference = findDifference(due, result);
  return difference === null ? 'equal' : `${difference}\n${sql}`;
}

describe.each(ENGINES)('statements on %s', (platform, open) => {
  it.skipIf(open === null || !platform.startsWith(ONLY))(
    'return the rows of the equivalent queries, and of nested loops',
    { timeout: 36_000_000 },
    async () => {
      await using engine = await open!();
      const counts = { equal: 0, refused: 0, unspecified: 0 };
      const seeds = rotateTo(WORLDS);
      for (const seed of seeds) {
        const world = platform === 'clickhouse' ? keepDays(createWorld(seed)) : createWorld(seed);
        await engine.load(world);
        const model = toModel(world, platform);
        const asked = { model, index: createModelIndex(model) };
        const random = createRandom(seed + 2_000_000);
        for (let i = 0; i < STATEMENTS; i++) {
          const one = createCase(world, random, KINDS[i % KINDS.length]!);
          const outcome = await compare(engine, asked, one);
          expect(Object.keys(counts), `seed ${seed}: ${one.text}`).toContain(outcome);
          counts[outcome as keyof typeof counts] += 1;
        }
      }
      expect(counts.equal).toBeGreaterThan(4 * seeds.length);
      // Only a few worlds have refused statements.
      if (runsAll) expect(counts.refused).toBeGreaterThan(0);
    },
  );
});
