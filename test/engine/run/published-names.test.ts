import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../../../src/engine/connection/contract/connection.ts';
import { SQL_DIALECT } from '../../../src/engine/text/sql-dialect.ts';
import { declare, IMPORT } from './publishing-scripts.ts';
import { openScriptSession, readError, type ScriptSession, useKinds } from './script-session.ts';

const WORDS = ['order', 'Select', 'USER', 'group', 'table', 'lateral', 'rows', 'Plain'];
const READER = '#+src sql Reader() #+begin SELECT n FROM {{ A() }} own #+end\n';
const RUN = '{{ publication.Run(blocks=[A]) }};';

/** Words of Trino's grammar, which it does not list. */
const OF_TRINO =
  `absent admin after all alter analyze and any array as asc at authorization auto begin bernoulli between both
  by call called case cast catalog catalogs column columns comment commit committed conditional constraint copartition
  count create cross cube current current_catalog current_date current_path current_role current_schema current_time
  current_timestamp current_user data date day deallocate declare default define definer delete deny desc describe
  descriptor deterministic distinct distributed do double drop else elseif empty encoding end error escape except
  excluding execute exists explain extract false fetch filter final first following for format from full function
  functions grace grant granted grants graphviz group grouping groups having hour if ignore immediate in including
  initial inner input insert intersect interval into invoker io is isolation iterate join json json_array json_exists
  json_object json_query json_table json_value keep key keys language last lateral leading leave left level like limit
  listagg local localtime localtimestamp logical loop map match match_recognize matched matches materialized measures
  merge minute month natural nested next nfc no none normalize not null nullif nulls object of offset omit on one only
  option or order ordinality others out outer output over overflow partition partitions passing past path pattern per
  period permute plan position preceding precision prepare privileges procedure properties prune quotes range read
  recursive refresh rename repeat repeatable replace reset respect restrict return returning returns revoke right role
  roles rollback rollup row rows running scalar schema schemas second security seek select serializable session set
  sets show skip some start stats string subset substring system table tables tablesample text then ties time timestamp
  to trailing transaction trim true truncate try_cast type uescape unbounded uncommitted unconditional union unique
  unknown unmatched unnest until update use user using utf8 validate value values verbose version view when where while
  window with within without work wrapper write year zone`.split(/\s+/);

/** The keywords of each server, and those that it reports as reserved; MariaDB and Trino do not report them. */
const KEYWORDS = {
  duckdb: "SELECT keyword_name, keyword_category IN ('reserved', 'type_function') FROM duckdb_keywords()",
  postgresql: "SELECT word, catcode IN ('R', 'T') FROM pg_get_keywords()",
  mysql: 'SELECT word, NULL FROM information_schema.keywords',
  trino: `SELECT word, NULL FROM UNNEST(ARRAY[${OF_TRINO.map((word) => `'${word}'`).join(', ')}]) AS t (word)`,
};

const unite = (queries: readonly string[]) => `${queries.join(' UNION ALL ')} ORDER BY 1`;

describe.each(useKinds())('a publication with a reserved word as its name, on $kind', ({ kind, isThere }) => {
  const { printName, quoteName } = SQL_DIALECT[kind];

  async function readNumbers(session: ScriptSession, script: string): Promise<readonly number[]> {
    const { rows } = await session.run(script);
    expect(await session.listTemporary()).toEqual([]);
    return rows.flat().map(Number);
  }

  it.skipIf(!isThere)('is created, replaced and read as a table and as a view', async () => {
    const session = await openScriptSession(kind);
    const readers = WORDS.map(
      (_, i) => `#+src sql Reader${i}() #+begin SELECT n FROM {{ A${i}() }} own #+end\n`,
    );
    const reads = WORDS.map(
      (_, i) => `SELECT ${i} AS w, a.n AS a, r.n AS r FROM {{ A${i}() }} a CROSS JOIN {{ Reader${i}() }} r`,
    );
    // Without quotes, as authors write it.
    const unquoted = WORDS.map((word, i) => `SELECT ${i} AS w, n FROM ${printName(word)}`);
    for (const [turn, type] of ['table', 'view', 'table', 'table', 'view', 'view'].entries()) {
      const numbers = WORDS.map((_, i) => turn * WORDS.length + i);
      const blocks = WORDS.map((word, i) =>
        declare(`A${i}`, `:type "${type}", :name "${word}"`, `SELECT ${numbers[i]} AS n`),
      );
      const run = `{{ publication.Run(blocks=[${WORDS.map((_, i) => `A${i}`).join(', ')}]) }};`;
      const script = `${IMPORT}${blocks.join('')}${readers.join('')}${run} ${unite(reads)}`;
      expect(await readNumbers(session, script)).toEqual(numbers.flatMap((n, i) => [i, n, n]));
      const rows = await session.query(unite(unquoted));
      expect(rows.flat().map(Number)).toEqual(numbers.flatMap((n, i) => [i, n]));
    }
  });

  it.skipIf(!isThere).each(['append', 'merge'])(
    'receives new rows by %s, and passes its name to its body',
    async (how) => {
      const session = await openScriptSession(kind);
      const options = `:type "table", :schema "${session.schema}", :name "Order", :incremental "${how}", :unique_key ["n"]`;
      const later = 'SELECT max(n) + 1 AS n FROM {{ publication.Target() }}';
      const block = declare(
        'A',
        options,
        `#+if publication.Incremental() then ${later} #+else SELECT 1 AS n #+end`,
      );
      const script = `${IMPORT}${block}${READER}${RUN}${RUN}${RUN}SELECT n FROM {{ Reader() }} r ORDER BY n`;
      expect(await readNumbers(session, script)).toEqual([1, 2, 3]);
      const again = `${IMPORT}${block}{{ publication.Run(blocks=[A], fullRefresh=true) }}; SELECT n FROM {{ A() }} a`;
      expect(await readNumbers(session, again)).toEqual([1]);
    },
  );

  it.skipIf(!isThere)('can have a reserved word as its schema', async () => {
    const session = await openScriptSession(kind);
    const names = `:schema "Group", :name "Order"`;
    for (const type of ['table', 'view']) {
      const script = `${IMPORT}${declare('A', `:type "${type}", ${names}`, 'SELECT 7 AS n')}${READER}${RUN}
        SELECT n FROM {{ Reader() }} r`;
      expect(await readNumbers(session, script)).toEqual([7]);
    }
    await session.query(`DROP SCHEMA ${printName('Group')}${kind === 'mysql' ? '' : ' CASCADE'}`);
  });

  it.skipIf(!isThere)('appears in the error if it does not exist yet', async () => {
    const session = await openScriptSession(kind);
    const block = declare('A', ':type "table", :name "Order"', 'SELECT 7 AS n');
    const { message } = await readError(session.run(`${block}SELECT n FROM {{ A() }} a`));
    expect(message).toContain('publish it first');
  });

  it.skipIf(!isThere)('is quoted only if the server reserves the word', async () => {
    const session = await openScriptSession(kind);
    const words = await session.query(KEYWORDS[kind]);
    expect(words.length).toBeGreaterThan(100);
    const isQuoted = (word: string) => printName(word) !== word;
    const unquoted: string[] = [];
    for (const [text, expected] of words) {
      const word = String(text).toLowerCase();
      if (!/^\w+$/.test(word)) continue;
      if (expected !== null)
        expect({ word, isReserved: isQuoted(word) }).toMatchObject({ isReserved: expected });
      else if (!isQuoted(word)) unquoted.push(word);
      else expect(printName(word)).toBe(quoteName(word));
    }
    expect(await listUnread(session, unquoted)).toEqual([]);
  });
});

/** Two names that differ after the bytes that PostgreSQL stores, also if it stores no part of a character. */
const LONG_NAMES = [
  [`${'a'.repeat(63)}1`, `${'a'.repeat(63)}2`],
  [`${'a'.repeat(62)}é1`, `${'a'.repeat(62)}è2`],
  [`${'A'.repeat(63)}1`, `${'a'.repeat(63)}2`],
] as const;

describe.each(useKinds())('publications with long names on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere || kind === 'mysql').each(LONG_NAMES)(
    'are refused before the first one if the database stores one name for both',
    async (first, second) => {
      const session = await openScriptSession(kind);
      const table = (block: string, name: string) =>
        declare(block, `:type "table", :name "${name}"`, 'SELECT 1 AS n');
      const script = `${table('A', first)}${table('B', second)}${IMPORT}{{ publication.Run(blocks=[A, B]) }};`;
      if (kind !== 'postgresql') {
        await session.run(script);
        const both = await session.query(`SELECT one.n, two.n FROM "${first}" AS one, "${second}" AS two`);
        expect(both).toEqual([[1, 1]]);
        return;
      }
      expect((await readError(session.run(script))).message).toBe(
        `the block \`A\` (main.sql:1) is published as \`${first}\`, which is the same object in the database as \`${second}\`: give one of them a different \`:name\``,
      );
      const found = `SELECT relname::text FROM pg_class WHERE relnamespace = '${session.schema}'::regnamespace`;
      expect(await session.query(found)).toEqual([]);
    },
  );
});

const WORDS_AT_ONCE = 40;

/** The words that a server does not read as names of tables. A statement has many of them, because it takes long on Trino. */
async function listUnread(session: ScriptSession, words: readonly string[]): Promise<readonly string[]> {
  const unread: string[] = [];
  for (let i = 0; i < words.length; i += WORDS_AT_ONCE) {
    const some = words.slice(i, i + WORDS_AT_ONCE);
    if (await areRead(session, some)) continue;
    for (const word of some) if (!(await areRead(session, [word]))) unread.push(word);
  }
  return unread;
}

/** Whether a server reads words as names of tables, even if the tables do not exist. */
async function areRead(session: ScriptSession, words: readonly string[]): Promise<boolean> {
  try {
    await session.query(words.map((word) => `SELECT 1 FROM ${word}`).join(' UNION ALL '));
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return !/syntax|mismatched input/.test(error.message);
  }
}
