import { expect, expectTypeOf, it } from 'vitest';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import type { Bound } from '../../../src/workspace/api/bound.ts';
import { bind } from '../../../src/workspace/instance/bind.ts';

const ada = { userId: '1', userName: 'ada' } as Principal;

/** What services have: methods for a principal, for everyone, and for the program itself. */
const service = {
  list: ({ userName }: Principal, page?: number) => `${userName} ${page}`,
  create: async ({ userName }: Principal, ...names: string[]) => [userName, ...names],
  refuse(_: Principal): never {
    throw new Error(`refused by ${this.name}`);
  },
  count: () => 7,
  printPath: (id: string) => id,
  name: 'this service',
};

it('gives each method the principal first, and answers with promises', async () => {
  const bound = bind(service, ada);
  expect(await bound.list()).toBe('ada undefined');
  expect(await bound.list(2)).toBe('ada 2');
  expect(await bound.create('x', 'y')).toEqual(['ada', 'x', 'y']);
  expect(await bound.count()).toBe(7);
  const { list } = bound;
  expect(await list(3)).toBe('ada 3');
});

it('rejects with what a method throws, which knows its service', async () => {
  await expect(bind(service, ada).refuse()).rejects.toThrow('refused by this service');
});

it('is no promise itself', async () => {
  const bound = bind(service, ada);
  expect(await Promise.resolve(bound)).toBe(bound);
});

it('has the methods of a principal, and of the others those that are named', () => {
  const names: (keyof Bound<typeof service>)[] = ['list', 'create', 'refuse'];
  const withOpen: keyof Bound<typeof service, 'count'> = 'count';
  expect([...names, withOpen]).toHaveLength(4);
  expectTypeOf<keyof Bound<typeof service>>().toEqualTypeOf<'list' | 'create' | 'refuse'>();
  expectTypeOf<Bound<typeof service>['list']>().toEqualTypeOf<(page?: number) => Promise<string>>();
  // A method that takes something else first would be given the principal in its place.
  expectTypeOf<keyof Bound<typeof service, 'count' | 'printPath' | 'name'>>().toEqualTypeOf<
    'list' | 'create' | 'refuse' | 'count'
  >();
});
