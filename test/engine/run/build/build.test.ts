import { describe, expect, it } from 'vitest';
import { declare } from '../publishing-scripts.ts';
import { openBuilds, printBuildEvent } from './building.ts';

const table = (name: string, body: string, more = '') =>
  declare(name, `:type "table", :name "${name.toLowerCase()}"${more}`, body);
const passing = (name: string, from: string) =>
  `#+test sql ${name}()\n#+begin SELECT * FROM {{ ${from}() }} WHERE false #+end\n`;

describe('a build', () => {
  it('skips tests of targets that are neither selected nor there, and gates nothing with them', async () => {
    const { build } = openBuilds();
    const main = `${table('A', 'SELECT 1 AS x')}${table('B', 'SELECT 2 AS x')}
#+test sql Both()\n#+begin SELECT * FROM {{ A() }} NATURAL JOIN {{ B() }} #+end
${table('C', 'SELECT * FROM {{ A() }} UNION ALL FROM (SELECT 3 WHERE false)')}`;
    const { events } = await build({ main }, { include: ['A', 'C'] });
    expect(events.map(printBuildEvent)).toEqual([
      'PUBLISHED a create',
      'SKIPPED Both b',
      'PUBLISHED c create',
    ]);
    const { events: later } = await build({ main }, { include: ['B'] });
    expect(later.map(printBuildEvent)).toEqual(['PUBLISHED b create', 'PASSED Both']);
  });

  it('says what it did: create, replace, append, merge, write', async () => {
    const { build, query } = openBuilds();
    const main = [
      table('A', 'SELECT 1 AS x'),
      table('B', 'SELECT 1 AS x', ', :incremental "append"'),
      table('C', 'SELECT 1 AS x', ', :incremental "merge", :unique_key ["x"]'),
      declare('D', ':type "view", :name "d"', 'SELECT 1 AS x'),
      declare('E', ':type "csv", :path "e.csv", :options { :overwrite true }', 'SELECT 1 AS x'),
    ].join('');
    const actions = async (fullRefresh: boolean) =>
      (await build({ main }, { fullRefresh })).events.map((event) =>
        event.kind === 'target' ? [event.target.action, event.target.rows] : null,
      );
    const created = ['create', 1];
    expect(await actions(false)).toEqual([created, created, created, ['create', null], ['write', null]]);
    expect(await actions(false)).toEqual([
      ['replace', 1],
      ['append', 2],
      ['merge', 1],
      ['replace', null],
      ['write', null],
    ]);
    expect(await query('SELECT count(*) FROM b')).toEqual([[2]]);
    expect((await actions(true)).slice(0, 3)).toEqual([
      ['replace', 1],
      ['replace', 1],
      ['replace', 1],
    ]);
  });

  it('leaves a target that fails as it was, publishes other branches, and names the root of each skip', async () => {
    const { build, query } = openBuilds();
    const script = (value: string) =>
      `${table('A', `SELECT ${value} AS x`)}${table('B', 'FROM {{ A() }}')}${table('C', 'FROM {{ B() }}')}${table('D', 'SELECT 4 AS x')}${passing('OfB', 'B')}`;
    await build({ main: script('1') });
    const { events, outcome } = await build({ main: script("error('no')") });
    expect(events.map(printBuildEvent)).toEqual([
      'FAILED a',
      'SKIPPED b a',
      'PUBLISHED d replace',
      'SKIPPED OfB a',
      'SKIPPED c a',
    ]);
    const [failed] = events;
    expect(failed).toMatchObject({
      target: { message: expect.stringContaining('no'), diagnostics: [{ line: 3 }], block: 'A' },
    });
    expect(outcome.targets).toHaveLength(4);
    expect(await query('SELECT x FROM a')).toEqual([[1]]);
  });

  it('starts nothing after the first failure with failFast, and says of the rest why', async () => {
    const { build } = openBuilds();
    const main = `${table('A', "SELECT error('no') AS x")}${table('B', 'SELECT 1 AS x')}${passing('OfB', 'B')}`;
    const { events } = await build({ main }, { failFast: true });
    expect(events.map(printBuildEvent)).toEqual(['FAILED a', 'SKIPPED b a', 'SKIPPED OfB a']);
  });

  it('publishes nothing if targets read one another in a cycle, or two replace one object', async () => {
    const { build } = openBuilds();
    const cycle = `${table('A', 'FROM {{ B() }}')}${table('B', 'FROM {{ A() }}')}${table('C', 'SELECT 1 AS x')}`;
    const { events, outcome } = await build({ main: cycle });
    expect([events, outcome]).toMatchObject([
      [],
      { status: 'failed', error: { code: 'script', message: expect.stringContaining('`A` → `B` → `A`') } },
    ]);
    const twice = `${table('A', 'SELECT 1 AS x')}${declare('B', ':type "view", :name "a"', 'SELECT 1 AS x')}`;
    const same = await build({ main: twice });
    expect([same.events, same.outcome]).toMatchObject([
      [],
      { error: { message: expect.stringContaining('is also published as `a`') } },
    ]);
  });

  it('refuses blocks that cannot be published before anything is published', async () => {
    const { build } = openBuilds();
    for (const [block, message] of [
      [table('B(n)', 'SELECT {{ n }} AS x').replace('"b(n)"', '"b"'), 'has no default'],
      [table('B()', 'SELECT 1 AS x').replace('B()', 'B(): void').replace('"b()"', '"b"'), 'it is void'],
    ] as const) {
      const { events, outcome } = await build({ main: `${table('A', 'SELECT 1 AS x')}${block}` });
      expect([events, outcome]).toMatchObject([[], { error: { message: expect.stringContaining(message) } }]);
    }
  });

  it('does not run statements outside of blocks, nor publications that blocks request', async () => {
    const { build, query } = openBuilds();
    const main = `#+import "std/publication"
CREATE TABLE outside AS SELECT 1 AS x;
${table('A', '{{ publication.Run(blocks=[B]) }}; SELECT 1 AS x')}${table('B', 'SELECT 1 AS x')}`;
    const { events } = await build({ main });
    expect(events.map(printBuildEvent)).toEqual(['PUBLISHED b create', 'FAILED a']);
    expect(events[1]).toMatchObject({
      target: { message: 'a block of a build cannot publish blocks or run tests' },
    });
    expect(await query("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'outside'")).toEqual([[0]]);
  });

  it('can be cancelled; the targets before it stay, and are reported', async () => {
    const { build, query } = openBuilds();
    const endless = 'SELECT count(*) AS x FROM range(10000000000) a, range(10000000000) b';
    const main = `${table('A', 'SELECT 1 AS x')}${table('B', endless)}`;
    const { events, outcome } = await build({ main }, { signal: AbortSignal.timeout(1_500) });
    expect(events.map(printBuildEvent)).toEqual(['PUBLISHED a create']);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'cancelled' },
      targets: [{ name: 'a' }],
    });
    expect(await query('SELECT x FROM a')).toEqual([[1]]);
  });

  it('runs a test with given rows first, and it gates its subjects', async () => {
    const { build } = openBuilds();
    const script = (
      x: number,
    ) => `${table('A', 'SELECT 1 AS x')}${table('B', 'SELECT x + 1 AS x FROM {{ A() }}')}${table('C', 'FROM {{ B() }}')}
#+test sql Adds()
#+meta { :given [ { :block A, :rows [ { :x 5 } ] } ], :expect [ { :x ${x} } ] }
#+begin FROM {{ B() }} #+end`;
    expect((await build({ main: script(6) })).events.map(printBuildEvent)).toEqual([
      'PUBLISHED a create',
      'PASSED Adds',
      'PUBLISHED b create',
      'PUBLISHED c create',
    ]);
    const { events } = await build({ main: script(7) });
    expect(events.map(printBuildEvent)).toEqual([
      'PUBLISHED a replace',
      'FAILED Adds',
      'SKIPPED b acme/main.Adds',
      'SKIPPED c acme/main.Adds',
    ]);
    const alone = await openBuilds().build({ main: script(6) }, { include: ['Adds'] });
    expect(alone.events.map(printBuildEvent)).toEqual(['PASSED Adds']);
  });

  it('runs independent targets in separate sessions with parallel', async () => {
    const { build, query } = openBuilds();
    const many = Array.from({ length: 12 }, (_, at) => table(`T${at}`, `SELECT ${at} AS x`)).join('');
    const { events } = await build({ main: `${many}${passing('Z', 'T3')}` }, { parallel: 8 });
    expect(
      events.filter((event) => event.kind === 'target' && event.target.status === 'PUBLISHED'),
    ).toHaveLength(12);
    expect(await query("SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 't%'")).toEqual([[12]]);
  });
});

describe('errors of files', () => {
  const good = table('A', 'SELECT 1 AS x');
  const bad = '#+src sql Idea()\n#+begin SELECT {{ Nothing() }} #+end\n';

  it('are warnings where nothing selected needs the file, and errors where its package is selected', async () => {
    const { build } = openBuilds();
    const packages = { main: good, drafts: bad };
    const { events, outcome } = await build(packages, { include: ['A'] });
    expect(events.map(printBuildEvent)).toEqual(['PUBLISHED a create']);
    expect(outcome.warnings).toMatchObject([{ severity: 'warning', message: 'unknown name `Nothing`' }]);
    for (const include of [[], ['acme/drafts'], ['A', 'Idea']]) {
      const { outcome: refused } = await build(packages, { include });
      expect([include, refused]).toMatchObject([include, { status: 'failed', error: { code: 'script' } }]);
    }
    expect((await build(packages, { exclude: ['acme/drafts'] })).outcome).toMatchObject({ status: 'done' });
  });

  it('are errors where a selected block reaches the file', async () => {
    const { build } = openBuilds();
    const main = `#+import "drafts"\n${table('A', 'FROM {{ drafts.Idea() }}')}`;
    const { outcome } = await build({ main, drafts: bad }, { include: ['A'] });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('unknown name `Nothing`') },
    });
  });

  it('are named if a selector selects nothing, since the file may have it', async () => {
    const { build } = openBuilds();
    const { outcome } = await build({ main: good, drafts: '#+src sql Lost(\n' }, { include: ['Lost'] });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'script', diagnostics: [{ file: 'drafts/all.sql' }] },
    });
  });
});
