import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openBuilds } from './building.ts';

/** A block that may be published and fail, and the blocks before it that it reads. */
interface ModelBlock {
  readonly isPublished: boolean;
  readonly fails: boolean;
  readonly reads: readonly number[];
}

/** A test with its subjects. */
interface ModelTest {
  readonly fails: boolean;
  readonly subjects: readonly number[];
}

interface Model {
  readonly blocks: readonly ModelBlock[];
  readonly tests: readonly ModelTest[];
}

const models = fc
  .array(
    fc.record({
      isPublished: fc.boolean(),
      fails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      reads: fc.uniqueArray(fc.nat({ max: 20 }), { maxLength: 3 }),
    }),
    { minLength: 2, maxLength: 9 },
  )
  .chain((blocks) =>
    fc.record({
      blocks: fc.constant(
        blocks.map(({ reads, ...block }, at) => ({ ...block, reads: reads.filter((read) => read < at) })),
      ),
      tests: fc.array(
        fc.record({
          fails: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
          subjects: fc.uniqueArray(fc.nat({ max: blocks.length - 1 }), { maxLength: 2 }),
        }),
        { maxLength: 6 },
      ),
    }),
  );

/** What docs/reference/build.md#order says of each target and test: published, passed, failed or skipped. */
function predict({ blocks, tests }: Model): Readonly<Record<string, string>> {
  const reach = (at: number): Set<number> =>
    new Set(blocks[at]!.reads.flatMap((read) => [read, ...reach(read)]));
  const nearest = (reads: readonly number[]): number[] =>
    reads.flatMap((read) => (blocks[read]!.isPublished ? [read] : nearest(blocks[read]!.reads)));
  const target = (at: number): string => {
    const { reads, fails } = blocks[at]!;
    const gates = tests.filter(
      ({ subjects }) =>
        subjects.length > 0 && !subjects.includes(at) && subjects.every((subject) => reach(at).has(subject)),
    );
    if (gates.some((gate) => test(gate) === 'FAILED')) return 'SKIPPED';
    if (nearest(reads).some((read) => target(read) !== 'PUBLISHED')) return 'SKIPPED';
    return fails ? 'FAILED' : 'PUBLISHED';
  };
  const test = ({ subjects, fails }: ModelTest): string => {
    if (nearest(subjects).some((read) => target(read) !== 'PUBLISHED')) return 'SKIPPED';
    return fails ? 'FAILED' : 'PASSED';
  };
  return Object.fromEntries([
    ...blocks.flatMap(({ isPublished }, at) => (isPublished ? [[`b${at}`, target(at)]] : [])),
    ...tests.map((one, at) => [`T${at}`, test(one)]),
  ]);
}

/** The script of a model; only published blocks fail, so that a failure belongs to one target. */
function print({ blocks, tests }: Model): string {
  const from = (reads: readonly number[]) => reads.map((read) => ` CROSS JOIN {{ B${read}() }}`).join('');
  const declared = blocks.map(({ isPublished, fails, reads }, at) => {
    const meta = isPublished ? `#+meta { :publication { :type "table", :name "b${at}" } }` : '';
    const value = isPublished && fails ? "error('no')::INT" : '1';
    return `#+src sql B${at}() ${meta}\n#+begin SELECT ${value} AS x${at} FROM (SELECT 1)${from(reads)} #+end`;
  });
  const tested = tests.map(({ fails, subjects }, at) => {
    return `#+test sql T${at}()\n#+begin SELECT 1 AS n FROM (SELECT 1)${from(subjects)} WHERE ${fails} #+end`;
  });
  return [...declared, ...tested].join('\n');
}

it('a build publishes, skips and fails what the rules of gates say, in their order', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(models, fc.integer({ min: 1, max: 3 }), async (model, parallel) => {
      const { build } = openBuilds();
      const { events, outcome } = await build({ main: print(model) }, { parallel });
      expect(outcome.status).toBe('done');
      const ends = events.map((event) =>
        event.kind === 'target' ? event.target : { name: event.test.test_name, ...event.test },
      );
      expect(Object.fromEntries(ends.map(({ name, status }) => [name, status]))).toEqual(predict(model));
      for (const { status } of ends) seen.add(status);
      const failed = ends.flatMap(({ name, status }) => (status === 'FAILED' ? [name] : []));
      const reasons = ends.flatMap(({ because }) =>
        because === null ? [] : [because.replace('acme/main.', '')],
      );
      expect(failed).toEqual(expect.arrayContaining(reasons));
    }),
    { numRuns: 200 },
  );
  expect([...seen].sort()).toEqual(['FAILED', 'PASSED', 'PUBLISHED', 'SKIPPED']);
});
