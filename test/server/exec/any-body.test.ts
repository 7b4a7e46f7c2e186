import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectErrorBody } from '../../support/http.ts';
import { share } from '../../support/rotation.ts';
import { createExecWorld } from './world.ts';

const KNOWN = [
  ...['path', 'package', 'block_name', 'args', 'params', 'sql', 'connection', 'name', 'overrides', 'schema'],
  ...['database', 'project_version', '__proto__', 'constructor', 'toString', '$x', '$$x', ''],
  ...['what', 'files', 'content', 'block', 'include', 'exclude', 'environment', 'parallel', 'fail_fast'],
];
const VALUES = [
  ...[
    '@Shared',
    '@Shared/one',
    '@Shared/blocks',
    'One',
    'Two',
    'duckdb',
    'main',
    'SELECT 1',
    'SELECT $x',
    '',
  ],
  ...['\0', '\ud800', '..', '/', "'; --", 'memory', '#+src sql', '{{'],
];

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...VALUES),
    fc.jsonValue(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KNOWN), tie('any'), { maxKeys: 5 }),
  ),
})).any;

const DUCKDB = { name: 'duckdb' };
const connection = fc.oneof(fc.constant(DUCKDB), value);
const params = fc.oneof(fc.dictionary(fc.constantFrom('x', '$y'), fc.string()), value);
const known = fc.constantFrom(...VALUES);
const body = fc.oneof(
  fc.record({ what: fc.constantFrom('script', 'block', 'sql', 'bundle'), body: value }),
  fc.record({
    what: fc.constant('sql' as const),
    body: fc.record({ sql: known, params, connection }, { requiredKeys: ['sql', 'connection'] }),
  }),
  fc.record({
    what: fc.constant('script' as const),
    body: fc.record({ path: known, params, connection }, { requiredKeys: ['path'] }),
  }),
  fc.record({
    what: fc.constant('block' as const),
    body: fc.record(
      { package: known, block_name: known, args: params, connection },
      { requiredKeys: ['package', 'block_name', 'connection'] },
    ),
  }),
);

const mostly = <T>(...usual: readonly T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, value);
const file = fc.record(
  {
    path: mostly('a.sql', 'a.sql', 'b/c.sql', 'project.toml', '../x', 'a.sql/b'),
    content: fc.oneof(
      fc.constantFrom(
        ...VALUES,
        '#+import "@Shared" as s',
        '#+import "b"',
        '[general]\nname = "p"',
        '{{ A() }}',
      ),
      fc.constant('#+src sql A()\n#+begin SELECT 1 #+end\n#+test sql T()\n#+begin SELECT 1 #+end'),
      value,
    ),
  },
  { requiredKeys: ['path', 'content'] },
);
const bundle = fc.record(
  {
    what: fc.constantFrom('run', 'tests', 'check', 'compile'),
    files: fc.uniqueArray(file, { maxLength: 3, selector: ({ path }) => JSON.stringify(path) }),
    path: mostly('a.sql', 'a.sql', 'b', '.', 'b/c.sql', 'project.toml'),
    block: mostly(undefined, undefined, 'A', 'T'),
    package: mostly('b', '.', 'p', 'p/b'),
    include: fc.array(mostly('*', '*', 'b', 'p', '..', '/'), { maxLength: 2 }),
    args: mostly(undefined, {}),
    params: mostly(undefined, {}),
    connection: mostly({ name: 'duckdb' }),
    environment: mostly(undefined),
    parallel: mostly(1, 16, undefined),
  },
  { requiredKeys: ['what', 'files', 'connection'] },
);

/** A valid body, and an error whose message quotes no parameter, while one has a map. */
const EXAMPLES: [{ what: string; body: unknown }][] = [
  [{ what: 'sql', body: { sql: 'SELECT 1', connection: DUCKDB } }],
  [
    {
      what: 'sql',
      body: { sql: "SELECT 'x'::INT", params: { p: [[{ toString: 'x' }]] }, connection: DUCKDB },
    },
  ],
];

it('any body gets a response, and never an internal error', async () => {
  const { exec, put, log } = await createExecWorld();
  await put('@Shared/one', 'SELECT 1');
  await put(
    '@Shared/blocks',
    '#+src sql One()\n#+begin SELECT 1 #+end\n#+src sql Two(x)\n#+begin SELECT {{ x }} #+end',
  );
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      const answer = await exec(given.what, JSON.stringify(given.body));
      const { status } = answer;
      expect([200, 400, 404, 422]).toContain(status);
      if (status !== 200) expectErrorBody(answer);
      seen.add(status);
    }),
    { numRuns: share(1_500), examples: EXAMPLES },
  );
  expect([...seen].sort()).toEqual([200, 400, 404, 422]);
  expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

/** Valid and invalid bundles; their share of all bodies is large enough that each of them is tried. */
const bundleOf = (what: 'run' | 'tests' | 'check' | 'compile', content: string) => ({
  what,
  files: [{ path: 'a.sql', content }],
  path: 'a.sql',
  connection: { name: 'duckdb' },
});
const surely = (['run', 'check', 'compile'] as const).flatMap((what) => [
  bundleOf(what, 'SELECT 1'),
  bundleOf(what, '{{'),
]);
const oftenSure = fc.oneof(
  { weight: 10, arbitrary: bundle },
  { weight: 1, arbitrary: fc.constantFrom(...surely) },
);

it('any body of a bundle gets a response, synchronous and asynchronous', async () => {
  const { exec, log } = await createExecWorld();
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(oftenSure, fc.constantFrom('', 'respond-async, wait=30'), async (given, prefer) => {
      const answer = await exec('bundle', JSON.stringify(given), { headers: { prefer } });
      const { status } = answer;
      expect([200, 400, 404, 422]).toContain(status);
      if (status !== 200) expectErrorBody(answer);
      seen.add(`${given.what} ${status === 200}`);
    }),
    { numRuns: share(1_500) },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['check true', 'check false', 'compile true', 'run false']),
  );
  expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
