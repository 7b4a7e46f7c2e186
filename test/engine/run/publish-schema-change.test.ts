import { describe, expect, it } from 'vitest';
import { compareColumns } from '../../../src/engine/connection/contract/check-columns.ts';
import { declare, IMPORT } from './publishing-scripts.ts';
import {
  openScriptSession,
  readError,
  type ScriptOutcome,
  type ScriptSession,
  useKinds,
  useSomeKinds,
} from './script-session.ts';

const METHODS = ['append', 'merge', 'history'] as const;

/** The columns of a row, by name. */
type Row = Readonly<Record<string, string>>;

const FIRST: Row = { id: '1', n: 'CAST(5 AS INTEGER)', old: "CAST('a' AS CHAR(3))" };

function print(kind: string, row: Row): string {
  const columns = Object.entries(row).map(([name, value]) => `${value} AS ${name}`);
  const text = `SELECT ${columns.join(', ')}`;
  return kind === 'mysql'
    ? text.replaceAll('AS INTEGER', 'AS SIGNED').replaceAll('AS BIGINT', 'AS SIGNED')
    : text;
}

async function publish(
  session: ScriptSession,
  kind: string,
  [method, policy]: readonly [method: string, policy: string],
  row: Row,
): Promise<ScriptOutcome> {
  const keys = `:type "table", :name "grown", :unique_key ["id"], :incremental "${method}"`;
  const block = declare('A', `${keys}, :on_schema_change "${policy}"`, print(kind, row));
  return session.run(`${IMPORT}${block}{{ publication.Run(blocks=[A]) }};`);
}

/** The columns of the table, without those of a history. */
async function listColumns(session: ScriptSession): Promise<readonly string[]> {
  const { columns } = await session.run('SELECT * FROM grown');
  return columns.map((name) => name.toLowerCase()).filter((name) => !name.startsWith('valid_'));
}

const trimmed = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => row.map((value) => (typeof value === 'string' ? value.trim() : value)));

describe.each(useSomeKinds())('`:on_schema_change` on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere).each(METHODS)(
    '"append" of %s adds new columns, and lost ones get NULL',
    async (method) => {
      const session = await openScriptSession(kind);
      await publish(session, kind, [method, 'append'], FIRST);
      const later = { added: "CAST('x' AS CHAR(9))", id: '2', n: '6' };
      const { warnings = [] } = await publish(session, kind, [method, 'append'], later);
      expect(warnings.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^the columns of `grown` have changed: `added` \(.*char.*\) was added$/i),
      ]);
      expect(await listColumns(session)).toEqual(['id', 'n', 'old', 'added']);
      const { rows } = await session.run('SELECT id, n, old, added FROM grown ORDER BY id');
      expect(trimmed(rows)).toEqual([
        [1, 5, 'a', null],
        [2, 6, null, 'x'],
      ]);
    },
  );

  it.skipIf(!isThere)(
    '"append" of a merge leaves no value of a lost column in a row that it updates',
    async () => {
      const session = await openScriptSession(kind);
      for (const policy of ['append', 'ignore']) {
        await publish(session, kind, ['merge', 'append'], { ...FIRST, id: policy === 'append' ? '1' : '2' });
      }
      await publish(session, kind, ['merge', 'append'], { id: '1', n: '7' });
      await publish(session, kind, ['merge', 'ignore'], { id: '2', n: '8' });
      const { rows } = await session.run('SELECT id, n, old FROM grown ORDER BY id');
      expect(trimmed(rows)).toEqual([
        [1, 7, null],
        [2, 8, 'a'],
      ]);
    },
  );

  it.skipIf(!isThere).each(METHODS)('"sync" of %s adds, drops and widens columns', async (method) => {
    const session = await openScriptSession(kind);
    await publish(session, kind, [method, 'sync'], { ...FIRST, n: 'CAST(1.5 AS DECIMAL(5, 1))' });
    const later = { id: '2', added: 'NULL', n: 'CAST(1234567.5 AS DECIMAL(10, 1))' };
    const { warnings = [] } = await publish(session, kind, [method, 'sync'], later);
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /`added` .* was added; `n` was changed from (?:decimal|numeric)\(5,1\) to (?:decimal|numeric)\(10,1\); `old` .* was dropped$/i,
      ),
    ]);
    expect((await listColumns(session)).toSorted()).toEqual(['added', 'id', 'n']);
    const { rows } = await session.run('SELECT id, n, added FROM grown ORDER BY id');
    expect(rows.map(([id, n, added]) => [id, Number(n), added])).toEqual([
      [1, 1.5, null],
      [2, 1234567.5, null],
    ]);
    const again = await publish(session, kind, [method, 'sync'], later);
    expect(again.warnings ?? []).toEqual([]);
  });

  it.skipIf(!isThere).each(METHODS)('"ignore" of %s stores the common columns', async (method) => {
    const session = await openScriptSession(kind);
    await publish(session, kind, [method, 'ignore'], FIRST);
    const { warnings = [] } = await publish(session, kind, [method, 'ignore'], {
      added: "'x'",
      n: '6',
      id: '2',
    });
    expect(warnings).toEqual([]);
    expect(await listColumns(session)).toEqual(['id', 'n', 'old']);
    const { rows } = await session.run('SELECT id, n, old FROM grown ORDER BY id');
    expect(trimmed(rows)).toEqual([
      [1, 5, 'a'],
      [2, 6, null],
    ]);
  });

  it.skipIf(!isThere).each(METHODS)(
    'of %s never accepts a type that would lose values, or a lost key',
    async (method) => {
      const session = await openScriptSession(kind);
      await publish(session, kind, [method, 'fail'], FIRST);
      const before = await session.query('SELECT * FROM grown');
      const isKeyed = method !== 'append';
      for (const policy of ['fail', 'append', 'sync', 'ignore']) {
        const lossy = { ...FIRST, id: '2', n: "'seven'" };
        const { message } = await readError(publish(session, kind, [method, policy], lossy));
        expect(message).toMatch(
          /`n` is .*(?:char|text).* in the query and int.* in the table, which may change values: change the query, or/i,
        );
        if (!isKeyed) continue;
        const { id: _, ...keyless } = FIRST;
        const lost = await readError(publish(session, kind, [method, policy], { ...keyless, other: '2' }));
        expect(lost.message).toMatch(
          policy === 'fail'
            ? /column `id` .* of the table is not in the query/
            : /`id` of the publication is not in the query/,
        );
      }
      expect(await session.query('SELECT * FROM grown')).toEqual(before);
    },
  );

  it.skipIf(!isThere).each(['append', 'sync'])(
    '%s changes no column if the rows are refused',
    async (policy) => {
      const session = await openScriptSession(kind);
      await publish(session, kind, ['merge', policy], FIRST);
      const columns = await listColumns(session);
      const twice = { ...FIRST, added: "1 AS one UNION ALL SELECT 1, 5, CAST('a' AS CHAR(3)), 2" };
      const { message } = await readError(publish(session, kind, ['merge', policy], twice));
      expect(message).toContain('more than once');
      expect(await listColumns(session)).toEqual(columns);
    },
  );
});

describe.each(useKinds().filter(({ kind }) => kind === 'trino'))('a column on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('stays as it is if the catalog cannot widen it', async () => {
    const session = await openScriptSession(kind);
    await publish(session, kind, ['append', 'sync'], { id: '1', n: 'CAST(1.5 AS DECIMAL(5, 1))' });
    const wider = { id: '2', n: 'CAST(1.25 AS DECIMAL(6, 2))', added: '1' };
    const { message } = await readError(publish(session, kind, ['append', 'sync'], wider));
    expect(message).toMatch(
      /^the catalog cannot change `n` from decimal\(5,1\) to decimal\(6,2\) \(.+\): cast/,
    );
    expect(await listColumns(session)).toEqual(['id', 'n']);
  });
});

describe('the comparison of columns', () => {
  const rules = { untyped: 'NULL', text: 'text', stateType: 'timestamp', timeDigits: 6, refusesRows: true };
  const fold = (name: string) => name.toLowerCase();
  const stored = [
    { name: 'Id', type: 'integer' },
    { name: 'n', type: 'integer' },
    { name: 'old', type: 'date' },
    { name: 'made', type: 'date', isFilled: true },
  ];
  const added = [
    { name: 'extra', type: 'NULL' },
    { name: 'id', type: 'integer' },
    { name: 'n', type: 'bigint' },
  ];
  const compare = (onSchemaChange: 'fail' | 'append' | 'sync' | 'ignore') =>
    compareColumns({ stored, added, rules, fold }, { onSchemaChange }, (names) => names);
  const none = { added: [], widened: [], dropped: [], nulled: [], untouched: [], ignored: [], refused: [] };
  const id = { query: 'id', table: 'Id' };
  const n = { query: 'n', table: 'n' };
  const extra = { query: 'extra', table: 'extra' };

  it('says for each policy what happens with each column', () => {
    expect(compare('fail')).toMatchObject({
      ...none,
      isPolicy: true,
      refused: [/extra/, /old/].map((name) => expect.stringMatching(name)),
    });
    expect(compare('append')).toEqual({
      ...none,
      isPolicy: false,
      written: [extra, id, n],
      added: [{ name: 'extra', type: 'text' }],
      nulled: [stored[2]],
    });
    expect(compare('sync')).toEqual({
      ...none,
      isPolicy: false,
      written: [extra, id, n],
      added: [{ name: 'extra', type: 'text' }],
      widened: [{ name: 'n', from: 'integer', type: 'bigint' }],
      dropped: [stored[2]],
    });
    expect(compare('ignore')).toEqual({
      ...none,
      isPolicy: false,
      written: [id, n],
      untouched: [stored[2]],
      ignored: [added[0]],
    });
  });
});
