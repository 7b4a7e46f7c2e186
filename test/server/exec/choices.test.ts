import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const connection = { name: 'duckdb' };

interface Checked {
  readonly data: readonly { readonly code: string; readonly message: string; readonly line: number }[];
  readonly parameters: readonly Record<string, unknown>[];
}

async function check({ exec }: Pick<ExecWorld, 'exec'>, content: string): Promise<Checked> {
  const files = [{ path: 'a.sql', content }];
  const { status, text, body } = await exec('bundle', { what: 'check', path: 'a.sql', files });
  expect(status, text).toBe(200);
  return body as Checked;
}

/** The type, the default and the choices of the only parameter of a query after a comment. */
async function describeOnly(world: ExecWorld, comment: string, use = "SELECT '$p'"): Promise<unknown> {
  const { data, parameters } = await check(world, `${comment}\n${use}`);
  expect(data).toEqual([]);
  expect(parameters).toHaveLength(1);
  const [{ type, default: value, values, doc } = {}] = parameters;
  return [type, value, values, doc];
}

describe('the choices of a described parameter', () => {
  it('are listed with the default and the text', async () => {
    const world = await createExecWorld();
    const list = (comment: string, use?: string) => describeOnly(world, comment, use);
    const airports = ['ATL', 'ORD'];
    expect(await list('-- $p in (ATL, ORD) = ORD: The airport.')).toEqual([
      'string',
      'ORD',
      airports,
      'The airport.',
    ]);
    expect(await list('-- $$p IN(ATL,ORD,ATL): The airport.')).toEqual([
      'string',
      null,
      airports,
      'The airport.',
    ]);
    expect(await list('  --$p in ( ATL , ORD )')).toEqual(['string', null, airports, null]);
    expect(await list('-- $p in (1, 2.5) = 1', 'SELECT 1 LIMIT $p')).toEqual(['number', 1, [1, 2.5], null]);
    expect(await list('-- $p in (1, 01) = 01', 'SELECT 1 LIMIT $p')).toEqual([
      'string',
      '01',
      ['1', '01'],
      null,
    ]);
    expect(await list('-- $p in (few, 2)', 'SELECT 1 LIMIT $p')).toEqual([
      'string',
      null,
      ['few', '2'],
      null,
    ]);
  });

  it('can have commas, quotes, brackets and colons in quotes', async () => {
    const world = await createExecWorld();
    const comment = `-- $p in ('Washington, DC', 'O''Hare', "say ""x""", 'a) = b: c', '') = 'a) = b: c': One of: these`;
    const choices = ['Washington, DC', "O'Hare", 'say "x"', 'a) = b: c', ''];
    expect(await describeOnly(world, comment)).toEqual(['string', 'a) = b: c', choices, 'One of: these']);
    expect(await describeOnly(world, '-- $p in (東京, 😀) = 😀')).toEqual([
      'string',
      '😀',
      ['東京', '😀'],
      null,
    ]);
  });

  it.each([
    '-- $p in (ATL, ORD',
    '-- $p in ()',
    '-- $p in (ATL,, ORD)',
    '-- $p in (ATL) is usual',
    "-- $p in ('ATL)",
    '-- $p in ATL',
    "-- $p in (O'Hare)",
  ])('are not in the comment %s', async (comment) => {
    const world = await createExecWorld();
    expect(await describeOnly(world, comment)).toEqual(['string', null, null, null]);
  });

  it('are an error of the check if the default is outside of them', async () => {
    const world = await createExecWorld();
    const content = "SELECT 1;\n  -- $p in (ATL, ORD) = ODR: The airport.\nSELECT '$p'";
    const { data, parameters } = await check(world, content);
    const message = 'the default of `$p` is `ODR`, but must be one of `ATL`, `ORD`, did you mean `ORD`?';
    expect(data).toMatchObject([{ code: 'parameter', message, line: 2, column: 6, end: { column: 42 } }]);
    expect(parameters).toMatchObject([{ default: null, values: ['ATL', 'ORD'] }]);
  });

  it('refuse another value before anything runs, in scripts, SQL, blocks and compilations', async () => {
    const world = await createExecWorld();
    const content = "-- $p in (ATL, 'a, b')\nSELECT '$p' AS p";
    await world.put('@Shared/asked', content);
    const refusal = 'parameter `$p` is `ORD`, but must be one of `ATL`, `a, b`';
    const params = { p: 'ORD' };
    expectRefusal(await world.script('@Shared/asked', { params }), 400, refusal);
    expectRefusal(await world.sql(content, { params }), 400, refusal);
    const files = [
      { path: 'a.sql', content: `#+src sql A()\n#+begin\n${content}\n#+end` },
      { path: 'b.sql', content: "-- $p in (only)\n#+src sql B() #+begin SELECT '$p' AS p #+end" },
    ];
    const run = (body: object) => world.exec('bundle', { files, connection, ...body });
    expectRefusal(await run({ what: 'run', block: 'A', params }), 400, refusal);
    expectRefusal(await run({ what: 'compile', path: 'a.sql', params }), 400, refusal);
    expect(rowsOf(await run({ what: 'run', block: 'A', params: { p: 'ATL' } }))).toEqual([['ATL']]);
    expect(rowsOf(await run({ what: 'run', block: 'B', params: { p: 'only' } }))).toEqual([['only']]);
    expect(rowsOf(await world.script('@Shared/asked', { params: { $p: 'a, b' } }))).toEqual([['a, b']]);
    expect(rowsOf(await world.script('@Shared/asked'))).toEqual([['$p']]);
  });

  it.each([[null], [''], [1], [true], [['ATL', 'no']], [{ a: 1 }], [`${'x'.repeat(100)}`]])(
    'refuse the value %j',
    async (p) => {
      const world = await createExecWorld();
      const answer = await world.sql("-- $p in (ATL, ORD)\nSELECT '$p'", { params: { p } });
      expectRefusal(
        answer,
        400,
        expect.stringMatching(/^parameter `\$p` is `.{0,61}`, but must be one of `ATL`, `ORD`/),
      );
    },
  );

  it('accept numbers, booleans and lists of choices', async () => {
    const world = await createExecWorld();
    const run = async (choices: string, p: unknown) =>
      rowsOf(await world.sql(`-- $p in (${choices})\nSELECT '$p'`, { params: { p } }));
    expect(await run('1, 2', 2)).toEqual([['2']]);
    expect(await run('true, false', false)).toEqual([['false']]);
    expect(await run('a, b', ['b', 'a'])).toEqual([['b, a']]);
  });
});

describe('the type of a described parameter', () => {
  it('is a date or a timestamp if the described value has that form', async () => {
    const world = await createExecWorld();
    const typeOf = async (comment: string, use?: string) =>
      ((await describeOnly(world, comment, use)) as readonly unknown[])[0];
    expect(await typeOf('-- $p = 2026-01-15: The first day.')).toBe('date');
    expect(await typeOf('-- $p = 2024-02-29', 'SELECT $p')).toBe('date');
    expect(await typeOf('-- $p = 2026-01-15 10:00')).toBe('timestamp');
    expect(await typeOf('-- $p = 2026-01-15T10:00:00.5Z: The start.')).toBe('timestamp');
    expect(await typeOf('-- $p = 2026-01-15 10:00:00+02')).toBe('timestamp');
    expect(await typeOf('-- $p in (2026-01-15, 2026-02-15)')).toBe('date');
    expect(await typeOf('-- $p = 2026-02-30')).toBe('string');
    expect(await typeOf('-- $p = 2026-01-15 25:00')).toBe('string');
    expect(await typeOf('-- $p: 2026-01-15')).toBe('string');
    expect(await typeOf('-- $p = 2026-1-5', 'SELECT $p')).toBeNull();
  });
});
