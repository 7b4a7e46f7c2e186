import { describe, expect, it } from 'vitest';
import { printMany } from '../../web/components/catalog/many/print-many.ts';

const done = (name: string) => ({ name, status: 'done' }) as const;

describe('the message about several items', () => {
  it('counts those that were changed', () => {
    expect(printMany('moved', [done('a')], 1)).toBe('1 item moved');
    expect(printMany('deleted', [done('a'), done('b')], 2)).toBe('2 items deleted');
  });

  it('counts those that were not changed, with the first reason', () => {
    const failed = { name: '@Shared/b', status: 'failed', message: 'Name already exists.' } as const;
    expect(printMany('moved', [done('a'), failed], 2)).toBe(
      '1 item moved, 1 not: @Shared/b: Name already exists.',
    );
  });

  it('says that the rest was cancelled', () => {
    const outcomes = Array.from({ length: 500 }, (_, at) => done(String(at)));
    expect(printMany('deleted', outcomes, 10_000)).toBe('500 items deleted, 9,500 not: cancelled');
  });
});
