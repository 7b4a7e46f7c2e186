import {
  DatabaseError,
  type PublishedName,
  type Publishing,
  type PublishingMethod,
} from '../../contract/connection.ts';
import { findPublished } from '../../server/publishing.ts';
import type { Statements } from '../../server/publishing-platform.ts';
import { hasErrorName } from './error-names.ts';
import { NAMES, print, printIdleMerge, printSchema } from './publishing-sql.ts';

const never = new AbortController().signal;

/** What the catalog of a target can do; it depends on the connector, and on its settings. */
export interface Abilities {
  readonly check: NonNullable<Publishing['check']>;
  replacesTables(target: PublishedName, signal: AbortSignal): Promise<boolean>;
  /** Whether rows of an existing table can be changed. */
  merges(target: PublishedName, signal: AbortSignal): Promise<boolean>;
}

/**
 * Tries out what a catalog can do: the server only explains what its connector cannot do by an error. The tried objects
 * are empty, and dropped at once; `nameProbe` gives them a name that tells their owner.
 */
export function createAbilities(
  statements: Statements,
  nameProbe: (target: PublishedName) => PublishedName,
): Abilities {
  const probe = createProbe(statements, nameProbe);
  const replacesTables: Abilities['replacesTables'] = async (target, signal) =>
    (await probe.tryTable(target, signal)).replaces;
  const merges: Abilities['merges'] = async (target, signal) =>
    (await findReason(() => statements.run(printIdleMerge(target), signal))) === null;
  const warnOfRebuild: FindGap = async (target, _existingKind, signal) =>
    (await merges(target, signal)) ? null : printRebuild(target);
  const findGap: Readonly<Record<PublishingMethod, FindGap>> = {
    table: async (target, existingKind, signal) => {
      if (existingKind === null) return null;
      return existingKind === 'table' && (await replacesTables(target, signal)) ? null : printGap(target);
    },
    view: async (target, existingKind, signal) => {
      if (existingKind === 'view') return null;
      const reason = await probe.tryView(target, signal);
      if (reason !== null) throw createRefusal(target, 'has no views', reason);
      return existingKind === null ? null : printGap(target);
    },
    append: async () => null,
    merge: warnOfRebuild,
    history: warnOfRebuild,
  };
  return {
    replacesTables,
    merges,
    async check(target, how, signal) {
      const { reason } = await probe.tryTable(target, signal);
      if (reason !== null) throw createRefusal(target, 'cannot store tables', reason);
      return findGap[how](target, await findPublished(statements, NAMES, target, signal), signal);
    },
  };
}

type FindGap = (
  target: PublishedName,
  existingKind: 'table' | 'view' | null,
  signal: AbortSignal,
) => Promise<string | null>;

/** Why no table can be created, null if one can; and whether one can be replaced. */
interface TableAbility {
  readonly reason: string | null;
  readonly replaces: boolean;
}

/** Asks once for each catalog. Rejects with a DatabaseError if the server cannot be asked. */
interface Probe {
  tryTable(target: PublishedName, signal: AbortSignal): Promise<TableAbility>;
  /** Why no view can be created; null if one can. */
  tryView(target: PublishedName, signal: AbortSignal): Promise<string | null>;
}

type Ask<T> = (target: PublishedName, signal: AbortSignal) => Promise<T>;

function createProbe(
  { run, select }: Statements,
  nameProbe: (target: PublishedName) => PublishedName,
): Probe {
  const hasSchema: Ask<boolean> = async (target, signal) =>
    (await select(NAMES.printFindSchema(target), signal)).length > 0;

  /** Creates something, and drops it. */
  function tryOut(create: string, drop: string, signal: AbortSignal): Promise<string | null> {
    return findReason(async () => {
      await run(create, signal);
      await run(drop, never);
    });
  }

  const askTable = askOnce(async (target, signal): Promise<TableAbility | undefined> => {
    if (!(await hasSchema(target, signal))) return undefined;
    const probe = print(nameProbe(target));
    const drop = `DROP TABLE IF EXISTS ${probe}`;
    const replaces = (await tryOut(`CREATE OR REPLACE TABLE ${probe} (id integer)`, drop, signal)) === null;
    if (replaces) return { reason: null, replaces };
    return { reason: await tryOut(`CREATE TABLE ${probe} (id integer)`, drop, signal), replaces };
  });
  const askSchema = askOnce((target, signal) => {
    const schema = printSchema(target);
    return tryOut(`CREATE SCHEMA ${schema}`, `DROP SCHEMA ${schema}`, signal);
  });
  const askView = askOnce(async (target, signal) => {
    if (!(await hasSchema(target, signal))) return undefined;
    const probe = print(nameProbe(target));
    return tryOut(`CREATE VIEW ${probe} AS SELECT 1 AS id`, `DROP VIEW IF EXISTS ${probe}`, signal);
  });

  return {
    async tryTable(target, signal) {
      const ability = await askTable(target, signal);
      return ability ?? { reason: await askSchema(target, signal), replaces: false };
    },
    tryView: async (target, signal) => (await askView(target, signal)) ?? null,
  };
}

/** Remembers the answer for each catalog, unless it is undefined. */
function askOnce<T>(ask: Ask<T>): Ask<T> {
  const answers = new Map<string, T>();
  return async (target, signal) => {
    const cachedAnswer = answers.get(target.database);
    if (cachedAnswer !== undefined) return cachedAnswer;
    const answer = await ask(target, signal);
    answers.set(target.database, answer);
    return answer;
  };
}

async function findReason(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'sql') throw error;
    // Any other error, such as a missing right, is one of the publication itself.
    return hasErrorName(error, 'NOT_SUPPORTED') ? error.message : null;
  }
}

function createRefusal({ database }: PublishedName, what: string, reason: string): DatabaseError {
  const advice = 'publish to another catalog: set the option `catalog` of the connection';
  return new DatabaseError('refused', `the catalog \`${database}\` ${what} (${reason}): ${advice}`);
}

function printGap({ name }: PublishedName): string {
  return `\`${name}\` is missing for a moment while this replaces it, and loses indexes and rights that Trino does not show: the catalog can only rename it`;
}

function printRebuild({ name }: PublishedName): string {
  return `the catalog cannot merge rows, so \`${name}\` is built again: it is missing for a moment, rows that others write meanwhile are lost, and so are its indexes and rights`;
}
