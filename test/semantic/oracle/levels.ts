import type { Answer } from './answer.ts';
import { toFraction } from './fraction.ts';
import type { Random } from './random.ts';
import {
  answerStatementQuestion,
  createStatementQuestion,
  printStatementQuestion,
  type StatementQuestion,
} from './statement.ts';
import type { World } from './world.ts';

/** A statement with ROLLUP, CUBE or GROUPING SETS. */
interface LeveledQuestion extends StatementQuestion {
  readonly groupBy: string;
  /** The keys of each level, as indexes. No two levels have the same keys. */
  readonly levels: readonly (readonly number[])[];
}

type Level = readonly number[];

const print = (level: Level) => `(${level.map((at) => at + 1).join(', ')})`;

function listSubsets([first, ...others]: Level): readonly Level[] {
  if (first === undefined) return [[]];
  const rest = listSubsets(others);
  return [...rest.map((level) => [first, ...level]), ...rest];
}

const listStarts = (level: Level): readonly Level[] =>
  Array.from({ length: level.length + 1 }, (_, count) => level.slice(0, count));

/** Some subsets, with every key in one of them. */
function sampleSets(all: Level, random: Random): readonly Level[] {
  const some = random.sample(listSubsets(all), 1 + random.int(4));
  const missing = all.filter((at) => !some.some((level) => level.includes(at)));
  return missing.length === 0 ? some : [...some, missing];
}

function createGroups(count: number, random: Random): Pick<LeveledQuestion, 'groupBy' | 'levels'> {
  const all = random.sample([...Array(count).keys()], count);
  switch (random.int(4)) {
    case 0:
      return { groupBy: `ROLLUP ${print(all)}`, levels: listStarts(all) };
    case 1:
      return { groupBy: `CUBE ${print(all)}`, levels: listSubsets(all) };
    case 2: {
      const [first = 0, ...others] = all;
      const levels = listStarts(others).map((level) => [first, ...level]);
      const rest = others.length === 0 ? '' : `, ROLLUP ${print(others)}`;
      return { groupBy: `GROUPING SETS (${first + 1})${rest}`, levels };
    }
    default: {
      const levels = sampleSets(all, random);
      return { groupBy: `GROUPING SETS (${levels.map(print).join(', ')})`, levels };
    }
  }
}

/** A random statement with levels; null for a statement without keys. */
export function createLeveledQuestion(world: World, random: Random): LeveledQuestion | null {
  const question = createStatementQuestion(world, random);
  // Keys of the same fields can be one key.
  const ofFields = new Map(question.keys.map((key) => [JSON.stringify(key.fields), key]));
  const keys = [...ofFields.values()];
  return keys.length === 0 ? null : { ...question, keys, ...createGroups(keys.length, random) };
}

/** Prints the statement with a GROUPING for each key. */
export function printLeveledQuestion(question: LeveledQuestion): string {
  const groupings = question.keys.map((_, at) => `GROUPING(c${at})`);
  return `${printStatementQuestion(question, groupings)}\nGROUP BY ${question.groupBy}`;
}

/** The expected rows: those of one statement for each level. Throws NoAnswer if one of them is refused. */
export function answerLeveledQuestion(world: World, question: LeveledQuestion): Answer {
  const answers = question.levels.map((level) => {
    const keys = level.map((at) => question.keys[at]!);
    return { level, answer: answerStatementQuestion(world, { ...question, keys }) };
  });
  const rows = answers.flatMap(({ level, answer }) =>
    answer.rows.map((row) => ({
      ...row,
      dims: [
        ...question.keys.map((_, at) => (level.includes(at) ? row.dims[level.indexOf(at)]! : null)),
        ...question.keys.map((_, at) => toFraction(level.includes(at) ? 0 : 1)),
      ],
    })),
  );
  const columns = [
    ...question.keys.map(({ type }) => ({ dataType: type })),
    ...question.keys.map(() => ({ dataType: 'INTEGER' as const })),
    ...question.measures.map(() => ({ dataType: 'DECIMAL' as const })),
  ];
  return { ...answers[0]!.answer, columns, dimensions: 2 * question.keys.length, rows };
}
