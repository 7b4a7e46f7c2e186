import { DatabaseError } from '../../../src/engine/connection/contract/connection.ts';
import { SemanticError } from '../../../src/semantic/errors.ts';
import type { FieldRef, SemanticQuery } from '../../../src/semantic/query/query.ts';
import { type Answer, createAnswer } from './answer.ts';
import { findDifference } from './compare.ts';
import type { Engine, OraclePlatform } from './engine.ts';
import { NoAnswer } from './join-tree.ts';
import type { World } from './world.ts';

export interface Question {
  readonly query: SemanticQuery;
  readonly strict: boolean;
}

/** The compiler's output for a query. */
export interface Compiled {
  readonly sql: string;
  readonly columns: readonly { readonly name: string; readonly dataType: string }[];
  readonly plan: unknown;
}

/** Compiles queries to a world; rejects with a SemanticError. */
export type Compile = (world: World, question: Question, platform: OraclePlatform) => Compiled;

/** `differs` gives the kind of difference, `detail` the details. */
export type Outcome =
  | { readonly kind: 'agrees'; readonly answer: Answer; readonly compiled: Compiled }
  /** The compiler and the oracle both refuse. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unspecified' }
  | {
      readonly kind: 'differs';
      readonly way: 'rows' | 'columns' | 'database' | 'refused' | 'not refused' | 'crashed';
      readonly detail: string;
      readonly sql: string | null;
    };

type Attempt<T> = { readonly value: T } | { readonly error: unknown };

function attempt<T>(run: () => T): Attempt<T> {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

/** The error in the names and types of a result's columns. */
function findColumnError({ query }: Question, answer: Answer, compiled: Compiled, names: readonly string[]) {
  const refs: readonly FieldRef[] = [...query.dimensions, ...query.measures];
  const isNamed = ({ alias, entity, field }: FieldRef, name: string) =>
    alias === undefined ? [field, `${entity.replaceAll('.', '_')}_${field}`].includes(name) : name === alias;
  const said = compiled.columns.map(({ name }) => name);
  const types = compiled.columns.map(({ dataType }) => dataType);
  if (names.join('\0') !== said.join('\0'))
    return `columns ${names.join(', ')}, said to be ${said.join(', ')}`;
  if (new Set(names).size !== names.length) return `columns ${names.join(', ')}`;
  if (!refs.every((ref, at) => isNamed(ref, names[at] ?? ''))) return `columns ${names.join(', ')}`;
  const due = answer.columns.map(({ dataType }) => dataType);
  return types.join() === due.join() ? null : `types ${types.join()} instead of ${due.join()}`;
}

async function runCompiled(
  question: Question,
  answer: Answer,
  compiled: Compiled,
  engine: Engine,
): Promise<Outcome> {
  const { sql } = compiled;
  const differs = (way: 'rows' | 'columns' | 'database', detail: string): Outcome => ({
    kind: 'differs',
    way,
    detail,
    sql,
  });
  const result = await engine.run(sql).catch((error: unknown) => {
    if (error instanceof DatabaseError) return error.message;
    throw error;
  });
  if (typeof result === 'string') return differs('database', result);
  const names = result.columns.map(({ name }) => name);
  const error = findColumnError(question, answer, compiled, names);
  if (error !== null) return differs('columns', error);
  const difference = findDifference(answer, result);
  return difference === null ? { kind: 'agrees', answer, compiled } : differs('rows', difference);
}

/** Compiles a query, runs it on an engine that holds the world's rows, and compares the rows with the oracle's. */
export async function ask(
  world: World,
  question: Question,
  compile: Compile,
  engine: Engine,
): Promise<Outcome> {
  const due = attempt(() => createAnswer(world, question.query, question.strict));
  if ('error' in due) {
    if (!(due.error instanceof NoAnswer)) throw due.error;
    if (due.error.kind === 'unspecified') return { kind: 'unspecified' };
  }
  const made = attempt(() => compile(world, question, engine.platform));
  if ('error' in made) {
    const { error } = made;
    if (!(error instanceof SemanticError)) {
      return { kind: 'differs', way: 'crashed', detail: (error as Error).stack ?? String(error), sql: null };
    }
    if ('error' in due && error.kind === 'refused') return { kind: 'refused' };
    return { kind: 'differs', way: 'refused', detail: `${error.kind}: ${error.message}`, sql: null };
  }
  if ('error' in due) {
    const detail = (due.error as NoAnswer).message;
    return { kind: 'differs', way: 'not refused', detail, sql: made.value.sql };
  }
  return runCompiled(question, due.value, made.value, engine);
}
