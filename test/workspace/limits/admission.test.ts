import { expect, it } from 'vitest';
import { createAdmission } from '../../../src/workspace/limits/admission.ts';

it('limits each caller to a quarter of the running queries, and never ends a running one', async () => {
  const { run } = createAdmission();
  const end = Promise.withResolvers<string>();
  const begin = (caller: string, count: number) =>
    Array.from({ length: count }, () =>
      run(caller, () => end.promise).catch(({ code }: { code: string }) => code),
    );
  const own = begin('ada', 251);
  const others = ['bob', 'cyd', 'dan'].flatMap((caller) => begin(caller, 250));
  expect(await Promise.all(begin('eve', 1))).toEqual(['too_many_queries']);
  end.resolve('answered');
  expect(await Promise.all(own)).toEqual([...Array(250).fill('answered'), 'too_many_queries']);
  expect(new Set(await Promise.all(others))).toEqual(new Set(['answered']));
});

it('accepts another query when one ends, with or without an error', async () => {
  const { run } = createAdmission();
  const waits = Promise.withResolvers<void>();
  const begun = Array.from({ length: 249 }, () => run('ada', () => waits.promise));
  await expect(run('ada', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await run('ada', async () => 'answered')).toBe('answered');
  waits.resolve();
  await Promise.all(begun);
});
