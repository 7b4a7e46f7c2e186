import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createExecWorld } from './world.ts';

const KNOWN = [
  ...['path', 'package', 'block_name', 'args', 'params', 'sql', 'connection', 'name', 'overrides', 'schema'],
  ...['database', 'project_version', '__proto__', 'constructor', 'toString', '$x', '$$x', ''],
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

const connection = fc.oneof(fc.constant({ name: 'duckdb' }), value);
const params = fc.oneof(fc.dictionary(fc.constantFrom('x', '$y'), fc.string()), value);
const known = fc.constantFrom(...VALUES);
const body = fc.oneof(
  fc.record({ what: fc.constantFrom('script', 'block', 'sql'), body: value }),
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

it('is answered, whatever it is, and never with a fault of the server', async () => {
  const { exec, put, log } = await createExecWorld();
  await put('@Shared/one', 'SELECT 1');
  await put(
    '@Shared/blocks',
    '#+src sql One()\n#+begin SELECT 1 #+end\n#+src sql Two(x)\n#+begin SELECT {{ x }} #+end',
  );
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      const { status, body: answer } = await exec(given.what, JSON.stringify(given.body));
      expect([200, 400, 404, 422]).toContain(status);
      if (status !== 200) {
        expect(answer).toEqual({ message: expect.stringMatching(/./), detail: expect.stringMatching(/./) });
      }
      seen.add(status);
    }),
    { numRuns: 1_500 },
  );
  expect([...seen].sort()).toEqual([200, 400, 404, 422]);
  expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
