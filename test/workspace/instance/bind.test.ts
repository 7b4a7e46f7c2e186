import { expect, expectTypeOf, it } from 'vitest';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import type { Bound } from '../../../src/workspace/api/bound.ts';
import { bind } from '../../../src/workspace/instance/bind.ts';

const ada = { userId: '1', userName: 'ada' } as Principal;

/** The members of a service: methods for a principal, methods for all callers, and internal ones. */
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

it('passes the principal as the first argument of each method, and returns promises', async () => {
  const bound = bind(service, ada);
  expect(await bound.list()).toBe('ada undefined');
  expect(await bound.list(2)).toBe('ada 2');
  expect(await bound.create('x', 'y')).toEqual(['ada', 'x', 'y']);
  expect(await bound.count()).toBe(7);
  const { list } = bound;
  expect(await list(3)).toBe('ada 3');
});

it('rejects with the error of a method, which is called on its service', async () => {
  await expect(bind(service, ada).refuse()).rejects.toThrow('refused by this service');
});

it('is not a promise', async () => {
  const bound = bind(service, ada);
  expect(await Promise.resolve(bound)).toBe(bound);
});

it('has the methods of a principal, and only the named other methods', () => {
  const names: (keyof Bound<typeof service>)[] = ['list', 'create', 'refuse'];
  const withOpen: keyof Bound<typeof service, 'count'> = 'count';
  expect([...names, withOpen]).toHaveLength(4);
  expectTypeOf<keyof Bound<typeof service>>().toEqualTypeOf<'list' | 'create' | 'refuse'>();
  expectTypeOf<Bound<typeof service>['list']>().toEqualTypeOf<(page?: number) => Promise<string>>();
  // A method with another first argument would get the principal instead.
  expectTypeOf<keyof Bound<typeof service, 'count' | 'printPath' | 'name'>>().toEqualTypeOf<
    'list' | 'create' | 'refuse' | 'count'
  >();
});
