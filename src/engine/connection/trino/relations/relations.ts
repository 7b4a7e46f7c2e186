import { SQL_DIALECT } from '../../../text/sql-dialect.ts';
import { DatabaseError, type Relations } from '../../contract/connection.ts';
import { type Run, readTexts, runAround } from '../../contract/run-inner.ts';
import { isRepeatableText, listReads, type ReadName } from './repeatable.ts';
import { type SchemaName, ScratchSchema } from './scratch-schema.ts';
import { typeNulls } from './typed-query.ts';

const { quoteName, quoteText } = SQL_DIALECT.trino;

const NO_SCRATCH =
  'the rows of this block must be stored, because they are read more than once or the block has several statements, and Trino has no temporary tables: set the option `scratch_schema` of the connection to a `catalog.schema` in which tables can be created';

/** Where the names of a session belong, and where it stores rows; null where the connection does not say. */
interface SessionPlace {
  readonly catalog: string | null;
  readonly schema: string | null;
  readonly scratch: SchemaName | null;
}

/** What stored relations need of their session. */
interface RelationsOptions {
  readonly run: Run;
  /** Runs statements while a statement of the session runs. */
  readonly aside: Run;
  readonly state: SessionPlace;
}

/** Relations of a database without temporary tables. */
export interface TrinoRelations extends Relations {
  /** Drops what the session has stored; never rejects. */
  end(): Promise<void>;
}

/** SQL, and where its names without a catalog or a schema belong. */
interface PlacedText {
  readonly text: string;
  readonly catalog: string | null;
  readonly schema: string | null;
}

/**
 * Inserts queries into the statements that read them, and stores rows in the scratch schema of the connection only if
 * they have to be computed once.
 */
export function createRelations({ run, aside, state }: RelationsOptions): TrinoRelations {
  const scratch = state.scratch === null ? null : new ScratchSchema(aside, state.scratch);
  const stored = new Set<string>();
  const { isRepeatable } = createJudge(run, state);

  return {
    isRepeatable,
    nulls: null,
    async createTable(name, query, signal) {
      if (scratch === null) throw new DatabaseError('refused', NO_SCRATCH);
      const [before, after] = await typeNulls(run, query, signal);
      await scratch.hold(toRest(name), signal).catch((error: unknown) => {
        throw explainScratch(error, state.scratch);
      });
      await runAround(
        run,
        [`CREATE TABLE ${scratch.print(toRest(name))} AS ${before}`, query, after],
        signal,
      );
      stored.add(name);
    },
    createView: null,
    runsOnce: 'read once',
    insertsAtEnd: true,
    scratch: {
      refusal: scratch === null ? NO_SCRATCH : null,
      print: (name) => scratch?.print(toRest(name)) ?? name,
    },
    listTemporary: async () => [...stored].map((name) => ({ type: 'table', name })),
    async dropTemporary(objects, signal) {
      for (const { name } of objects) {
        if (!stored.has(name)) continue;
        await scratch?.drop(toRest(name), signal);
        stored.delete(name);
      }
    },
    end: async () => scratch?.end(),
  };
}

/** An error of the schema itself, not of the user's query. */
function explainScratch(error: unknown, scratch: SchemaName | null): unknown {
  if (!(error instanceof DatabaseError) || error.code !== 'sql' || scratch === null) return error;
  const message = `No rows can be stored in ${scratch.catalog}.${scratch.schema}, the scratch_schema of the connection: ${error.message}`;
  return new DatabaseError('sql', message, undefined, { cause: error });
}

/** Names begin with a word that the names of all owners begin with, too. */
function toRest(name: string): string {
  return `rows_${name.replace(/^quern_/, '')}`;
}

function createJudge(run: Run, state: SessionPlace): Pick<Relations, 'isRepeatable'> {
  /** The definitions of the views among the names that a text reads. */
  async function findViews(placed: PlacedText, signal: AbortSignal): Promise<readonly PlacedText[]> {
    const places = listReads(placed.text).flatMap((read) => locate(read, placed));
    const catalogs = Map.groupBy(places, ({ catalog }) => catalog);
    const found: PlacedText[] = [];
    for (const [catalog, names] of catalogs) {
      const rows = await readTexts(await run(printViews(catalog, names), signal));
      for (const [schema, text] of rows) found.push({ catalog, schema: schema ?? null, text: text ?? '' });
    }
    return found;
  }

  return {
    /** Checks a query and all views that it reads, directly or indirectly. */
    async isRepeatable(query, signal) {
      const seen = new Set<string>();
      const { catalog, schema } = state;
      let texts: readonly PlacedText[] = [{ text: query, catalog, schema }];
      try {
        while (texts.length > 0) {
          if (!texts.every(({ text }) => isRepeatableText(text))) return false;
          const views = await collect(texts, (text) => findViews(text, signal));
          const fresh = views.filter((view) => !seen.has(JSON.stringify(view)));
          for (const view of fresh) seen.add(JSON.stringify(view));
          texts = fresh;
        }
        return true;
      } catch (error) {
        // The statement that reads the query fails, too: there is no such catalog, or the user may not see it.
        if (error instanceof DatabaseError && error.code === 'sql') return true;
        throw error;
      }
    },
  };
}

async function collect<T, U>(list: readonly T[], find: (item: T) => Promise<readonly U[]>): Promise<U[]> {
  const all: U[] = [];
  for (const item of list) all.push(...(await find(item)));
  return all;
}

interface Place {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

function locate(read: ReadName, { catalog: ownCatalog, schema: ownSchema }: PlacedText): readonly Place[] {
  const [name = '', schema = ownSchema, catalog = ownCatalog] = read.toReversed();
  return catalog === null || schema === null ? [] : [{ catalog, schema, name }];
}

function printViews(catalog: string, places: readonly Place[]): string {
  const schemas = new Set(places.map(({ schema }) => quoteText(schema)));
  const names = new Set(places.map(({ name }) => quoteText(name)));
  // Servers look for names in lists of values only; a view of the same name in another schema does not matter.
  return `SELECT table_schema, view_definition FROM ${quoteName(catalog)}.information_schema.views
    WHERE table_schema IN (${[...schemas].join(', ')}) AND table_name IN (${[...names].join(', ')})`;
}
