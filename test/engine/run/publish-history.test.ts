import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { share } from '../../support/rotation.ts';
import { never } from '../connection/results.ts';
import { declare, IMPORT } from './publishing-scripts.ts';
import {
  openScriptSession,
  readError,
  type ScriptOutcome,
  type ScriptSession,
  useKinds,
  useSomeKinds,
} from './script-session.ts';

type Kind = ReturnType<typeof useKinds>[number]['kind'];

interface Row {
  readonly id: string;
  readonly v: string | null;
  readonly n: number | null;
}

interface State extends Row {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly from: number;
  readonly to: number | null;
}

/** The rows at a time. */
interface Step {
  readonly time: number;
  readonly rows: readonly Row[];
}

const START = Date.UTC(2026, 0, 1);

const printTime = (time: number) => new Date(time).toISOString().replace('T', ' ').replace('Z', '000');

/** A query for rows; without any, it has the same columns. */
function printRows(kind: Kind, rows: readonly Row[]): string {
  const text = (value: string | null) =>
    `CAST(${value === null ? 'NULL' : `'${value}'`} AS ${kind === 'mysql' ? 'CHAR' : 'VARCHAR'}(9))`;
  const print = ({ id, v, n }: Row) =>
    `SELECT ${text(id)} AS id, ${text(v)} AS v, CAST(${n ?? 'NULL'} AS ${kind === 'mysql' ? 'SIGNED' : 'BIGINT'}) AS n`;
  const none = `${print({ id: '', v: null, n: null })} FROM (SELECT 1 AS x) AS t WHERE x = 0`;
  return [none, ...rows.map(print)].join(' UNION ALL ');
}

/** Stores the states of rows at a time, which the caller chooses. */
async function record(
  { connection: { publishing } }: ScriptSession,
  [kind, name]: readonly [kind: Kind, name: string],
  { time, rows }: Step,
  changes: readonly string[] | null = null,
): Promise<void> {
  const target = await publishing.resolve(null, name, never);
  const history = { key: ['id'], changes, time: printTime(time) };
  const query = printRows(kind, rows);
  if ((await publishing.find(target, never)) === null) {
    await publishing.startHistory(target, query, history, never);
  } else await publishing.continueHistory(target, query, history, never);
}

async function readStates(
  session: ScriptSession,
  [kind, name]: readonly [kind: Kind, name: string],
): Promise<readonly State[]> {
  const text = kind === 'mysql' ? 'CHAR(30)' : 'VARCHAR';
  const rows = await session.query(
    `SELECT id, v, n, CAST(valid_from AS ${text}), CAST(valid_to AS ${text}) FROM ${name}`,
  );
  const toTime = (time: unknown) =>
    time === null ? null : Date.parse(`${String(time).replace(' ', 'T').slice(0, 23)}Z`);
  return sort(
    rows.map(([id, v, n, from, to]) => ({
      id: String(id),
      v: v as string | null,
      n: n === null ? null : Number(n),
      from: toTime(from)!,
      to: toTime(to),
    })),
  );
}

const sort = (states: readonly State[]) =>
  states.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

/** The states after each step. */
function follow(steps: readonly Step[], compared: readonly (keyof Row)[]): readonly State[] {
  let states: readonly State[] = [];
  for (const { time, rows } of steps) {
    const isSame = (state: State) =>
      rows.some((row) => row.id === state.id && compared.every((name) => row[name] === state[name]));
    const kept = states.flatMap((state) => {
      if (state.to !== null || isSame(state)) return [state];
      return state.from === time ? [] : [{ ...state, to: time }];
    });
    const isOpen = ({ id }: Row) => kept.some((state) => state.to === null && state.id === id);
    const opened = rows.filter((row) => !isOpen(row)).map((row) => ({ ...row, from: time, to: null }));
    states = [...kept, ...opened];
  }
  return sort(states);
}

/** Steps with few keys and values, so that rows change, vanish and return; some steps are at the same time. */
const sequences = fc.record({
  changes: fc.constantFrom(null, ['v']),
  steps: fc
    .array(
      fc.record({
        wait: fc.constantFrom(0, 1, 1_000),
        rows: fc.uniqueArray(
          fc.record({
            id: fc.constantFrom('a', 'A', 'b', 'é', 'x '),
            v: fc.constantFrom(null, '', 'v', 'V', 'v '),
            n: fc.constantFrom(null, 0, 1),
          }),
          { selector: ({ id }) => id },
        ),
      }),
      { minLength: 2, maxLength: 6 },
    )
    .map((steps) =>
      steps.map(({ wait, rows }, i): Step => {
        const waits = steps.slice(0, i).reduce((sum, step) => sum + step.wait, 0);
        return { time: START + waits + wait, rows };
      }),
    ),
});

async function publish(
  session: ScriptSession,
  query: string,
  options = '',
  run = '',
): Promise<ScriptOutcome> {
  const keys = `:type "table", :name "states", :unique_key ["id"], :incremental "history"${options}`;
  return session.run(`${IMPORT}${declare('A', keys, query)}{{ publication.Run(blocks=[A]${run}) }};`);
}

describe.each(useSomeKinds())('a history on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('has the states that a model has, for any changes, deletions and returns', async () => {
    const session = await openScriptSession(kind);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(sequences, async ({ changes, steps }) => {
        count += 1;
        const name = `states_${count}`;
        for (const step of steps) await record(session, [kind, name], step, changes);
        const states = await readStates(session, [kind, name]);
        await session.query(`DROP TABLE ${name}`);
        expect(states).toEqual(follow(steps, changes === null ? ['v', 'n'] : ['v']));
        const starts = states.map(({ id, from }) => `${id} ${from}`);
        expect(new Set(starts).size).toBe(starts.length);
      }),
      { numRuns: kind === 'trino' ? 3 : share(100) },
    );
  });

  it.skipIf(!isThere)('has times in UTC, also where clocks change', async () => {
    const session = await openScriptSession(kind);
    const zone = { duckdb: "SET TimeZone = 'Europe/Berlin'", postgresql: "SET TIME ZONE 'Europe/Berlin'" };
    await session.query(
      { ...zone, mysql: "SET time_zone = '+02:00'", trino: "SET TIME ZONE 'Europe/Berlin'" }[kind],
    );
    const times = [
      '2026-03-29T00:30Z',
      '2026-03-29T01:30Z',
      '2026-03-29T02:30Z',
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
    ];
    const steps = times.map((time, i) => ({ time: Date.parse(time), rows: [{ id: 'a', v: null, n: i }] }));
    for (const step of steps) await record(session, [kind, 'clocks'], step);
    expect(await readStates(session, [kind, 'clocks'])).toEqual(follow(steps, ['n']));
  });

  it.skipIf(!isThere)(
    'refuses a time before its latest state, equal keys, and a key without a value',
    async () => {
      const session = await openScriptSession(kind);
      const rows = [{ id: 'a', v: 'x', n: 1 }];
      await record(session, [kind, 'kept'], { time: START, rows });
      await record(session, [kind, 'kept'], { time: START + 5, rows: [] });
      const before = await readStates(session, [kind, 'kept']);
      const refuse = async (step: Step, message: RegExp) => {
        await expect(record(session, [kind, 'kept'], step)).rejects.toThrow(message);
        expect(await readStates(session, [kind, 'kept'])).toEqual(before);
      };
      await refuse(
        { time: START + 4, rows },
        /^The latest state of .kept. is from 2026-01-01 00:00:00.005.*, after the time of this run, 2026.* \(both in UTC\): correct the clock/,
      );
      await refuse({ time: START + 6, rows: [...rows, ...rows] }, /the key a more than once \(id\)/);
      await refuse(
        { time: START + 6, rows: [{ id: null as unknown as string, v: null, n: 1 }] },
        /no value in the key \(id\)/,
      );
      await expect(
        record(session, [kind, 'new'], {
          time: START,
          rows: [{ id: null as unknown as string, v: null, n: 1 }],
        }),
      ).rejects.toThrow(/no value in the key \(id\)/);
    },
  );

  it.skipIf(!isThere)('is reported as `history`, and stays in a full refresh, which says so', async () => {
    const session = await openScriptSession(kind);
    const query = (n: number) => printRows(kind, [{ id: 'a', v: null, n }]);
    await publish(session, query(1));
    const { warnings = [] } = await publish(session, query(2), '', ', fullRefresh=true');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^a full refresh leaves this history as it is, .* this run adds to it/),
    ]);
    const { rows } = await session.run('SELECT n, valid_to IS NULL AS is_open FROM states ORDER BY n');
    expect(rows.map(([n, isOpen]) => [Number(n), Boolean(isOpen)])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it.skipIf(!isThere)(
    'refuses a column `valid_from` of the block, and a table that is not a history',
    async () => {
      const session = await openScriptSession(kind);
      const first = await readError(publish(session, "SELECT 'a' AS id, 1 AS valid_from"));
      expect(first.message).toMatch(
        /the history has a column `valid_from`, too: give that of the query another name/i,
      );
      const block = declare('A', ':type "table", :name "states"', "SELECT 'a' AS id, 1 AS n");
      await session.run(`${IMPORT}${block}{{ publication.Run(blocks=[A]) }};`);
      const plain = await readError(publish(session, "SELECT 'a' AS id, 1 AS n"));
      expect(plain.message).toMatch(
        /it is not a history, because it lacks `valid_from` or `valid_to` of the type .*: change the query, or rename/,
      );
      expect(await session.query('SELECT id, n FROM states')).toEqual([['a', 1]]);
    },
  );

  it.skipIf(!isThere)('has no states of a run that another one at the same time replaces', async () => {
    const session = await openScriptSession(kind);
    await session.query('CREATE TABLE source AS SELECT 1 AS id, 10 AS n');
    const keys = ':type "table", :name "states", :unique_key ["id"], :incremental "history"';
    const block = declare('A', `${keys}, :primary_key ["id", "valid_from"]`, 'SELECT * FROM source');
    const run = '{{ publication.Run(blocks=[A]) }};';
    const change = 'UPDATE source SET n = n + 1;';
    const script = `${IMPORT}${block}${run}${change}${run}${change}${run}`;
    for (let i = 0; i < 2; i += 1) await session.run(script);
    const { rows } = await session.run('SELECT n, valid_to IS NULL AS is_open FROM states ORDER BY n');
    expect(rows.map(([n, isOpen]) => [Number(n), Boolean(isOpen)])).toEqual([
      [12, false],
      [14, true],
    ]);
  });

  it.skipIf(!isThere)('refuses a key of another type', async () => {
    const session = await openScriptSession(kind);
    await publish(session, 'SELECT 1 AS id, 2 AS n');
    const { message } = await readError(
      publish(session, "SELECT 'a' AS id, 2 AS n", ', :on_schema_change "sync"'),
    );
    expect(message).toMatch(
      /`id` is .* in the query and int.* in the table, which may change values: .* or rename the table/i,
    );
  });

  it.skipIf(!isThere)('gets all current rows from its block, for which `Incremental` is false', async () => {
    const session = await openScriptSession(kind);
    const query = 'SELECT 1 AS id, 2 AS n #+if publication.Incremental() then WHERE 1 = 0 #+end';
    await publish(session, query);
    await publish(session, query);
    expect(await session.query('SELECT id, n FROM states WHERE valid_to IS NULL')).toEqual([[1, 2]]);
  });
});

describe.each(useKinds().filter(({ kind }) => kind === 'postgresql'))(
  'a long history on $kind',
  ({ kind, isThere }) => {
    it.skipIf(!isThere)('is not written again if one row changes', async () => {
      const session = await openScriptSession(kind);
      const query = (changed: number) =>
        `SELECT g AS id, CASE g WHEN 7 THEN ${changed} ELSE 0 END AS n FROM generate_series(1, 100000) AS g`;
      await publish(session, query(0));
      await publish(session, query(1));
      const written = 'SELECT count(*)::int FROM states GROUP BY xmin::text ORDER BY 1';
      expect(await session.query(written)).toEqual([[2], [99_999]]);
    });
  },
);
