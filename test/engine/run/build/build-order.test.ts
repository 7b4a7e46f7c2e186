import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openBuilds } from './building.ts';

/** A block that may be published and fail, and the blocks before it that it reads. */
interface ModelBlock {
  readonly isPublished: boolean;
  readonly fails: boolean;
  readonly reads: readonly number[];
}

/** A test with its subjects, or a check of the first one that refers to the second one, if there is one. */
interface ModelTest {
  readonly isCheck: boolean;
  /** Whether it finds wrong rows. */
  readonly fails: boolean;
  readonly warns: boolean;
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
          isCheck: fc.boolean(),
          fails: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
          warns: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
          subjects: fc.uniqueArray(fc.nat({ max: blocks.length - 1 }), { maxLength: 2 }),
        }),
        { maxLength: 6 },
      ),
    }),
  );

/** The state of a target or test, and of one that did not succeed, the failures that can be the reason. */
interface Predicted {
  readonly status: string;
  readonly reasons: readonly string[];
}

/** What docs/reference/build.md#order says of each target and test. */
function predict({ blocks, tests }: Model): ReadonlyMap<string, Predicted> {
  const reach = (at: number): Set<number> =>
    new Set(blocks[at]!.reads.flatMap((read) => [read, ...reach(read)]));
  const nearest = (reads: readonly number[]): number[] =>
    reads.flatMap((read) => (blocks[read]!.isPublished ? [read] : nearest(blocks[read]!.reads)));
  const settle = (reasons: readonly string[], name: string, fails: boolean, good: string): Predicted => {
    if (reasons.length > 0) return { status: 'SKIPPED', reasons };
    return fails ? { status: 'FAILED', reasons: [name] } : { status: good, reasons: [] };
  };
  const target = (at: number): Predicted => {
    const { reads, fails } = blocks[at]!;
    const gates = tests.filter(
      ({ subjects }) =>
        subjects.length > 0 && !subjects.includes(at) && subjects.every((subject) => reach(at).has(subject)),
    );
    const failed = gates.map(test).filter(({ status }) => status === 'FAILED');
    const reasons = [...failed, ...nearest(reads).map(target)].flatMap((one) => one.reasons);
    return settle(reasons, `b${at}`, fails, 'PUBLISHED');
  };
  const test = (one: ModelTest): Predicted => {
    const reasons = nearest(one.subjects).flatMap((read) => target(read).reasons);
    return settle(reasons, nameOf(one, tests.indexOf(one)), one.fails && !one.warns, 'PASSED');
  };
  const targets = blocks.flatMap(({ isPublished }, at) =>
    isPublished ? [[`b${at}`, target(at)] as const] : [],
  );
  return new Map([...targets, ...tests.map((one, at) => [nameOf(one, at), test(one)] as const)]);
}

/** A check without a subject is a test. */
function nameOf({ isCheck, subjects: [block, to] }: ModelTest, at: number): string {
  if (!isCheck || block === undefined) return `T${at}`;
  return `B${block}.${to === undefined ? 'accepted' : 'references'}(c${at})`;
}

function isCheck(one: ModelTest): boolean {
  return one.isCheck && one.subjects.length > 0;
}

function printCheck({ subjects: [, to], fails, warns }: ModelTest, at: number): string {
  const severity = warns ? ', :severity "warn"' : '';
  if (to === undefined) return `{ :accepted "c${at}", :values [${fails ? 2 : 1}]${severity} }`;
  return `{ :references "c${at}", :to B${to}, :column "${fails ? 'two' : 'one'}"${severity} }`;
}

/** The script of a model; only published blocks fail, so that a failure belongs to one target. */
function print({ blocks, tests }: Model): string {
  const from = (reads: readonly number[]) => reads.map((read) => ` CROSS JOIN {{ B${read}() }}`).join('');
  const checksOf = (block: number) =>
    tests.flatMap((one, at) => (isCheck(one) && one.subjects[0] === block ? [printCheck(one, at)] : []));
  const declared = blocks.map(({ isPublished, fails, reads }, at) => {
    const published = isPublished ? `:publication { :type "table", :name "b${at}" },` : '';
    const value = isPublished && fails ? "error('no')::INT" : '1';
    const columns = tests.map((_, index) => `, 1 AS c${index}`).join('');
    return `#+src sql B${at}() #+meta { ${published} :checks [${checksOf(at).join(', ')}] }
#+begin SELECT ${value} AS one, 2 AS two${columns} FROM (SELECT 1)${from(reads)} #+end`;
  });
  const tested = tests.map((one, at) => {
    const meta = one.warns ? '#+meta { :severity "warn" }' : '';
    const { fails, subjects } = one;
    if (isCheck(one)) return '';
    return `#+test sql T${at}() ${meta}\n#+begin SELECT 1 AS n FROM (SELECT 1)${from(subjects)} WHERE ${fails} #+end`;
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
      const predicted = predict(model);
      expect(new Map(ends.map(({ name, status }) => [name, status]))).toEqual(
        new Map([...predicted].map(([name, { status }]) => [name, status])),
      );
      for (const { name, status, because } of ends) {
        seen.add(status);
        if (status !== 'SKIPPED') expect(because).toBeNull();
        else expect(predicted.get(name)?.reasons).toContain(because?.replace('acme/main.', ''));
      }
      for (const { name } of ends) if (name.includes('(')) seen.add(name.replace(/^B\d+|\d+/g, ''));
      for (const event of ends) if ('severity' in event && event.severity === 'warn') seen.add('warned');
    }),
    { numRuns: 200 },
  );
  const checks = ['.accepted(c)', '.references(c)'];
  expect([...seen].sort()).toEqual([...checks, 'FAILED', 'PASSED', 'PUBLISHED', 'SKIPPED', 'warned']);
});
