import { expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

const SEARCH = '/api/v1/manage/search';

/** A server with so many scripts in `@Shared`, whose names contain `plan`. */
async function createPlans(count: number) {
  const world = await createWorld();
  for (let number = 1; number <= count; number += 1) {
    const body = { parent_path: '@Shared', name: `plan${number}`, content: `SELECT ${number};` };
    expect((await world.ask('POST', '/api/v1/catalog/assets', { body })).status).toBe(201);
  }
  return world;
}

it('lists at most as many items as requested, 1 to 200, and tells whether these are all', async () => {
  const { ask } = await createPlans(3);
  const search = async (query: string) => {
    const { status, body } = await ask('GET', `${SEARCH}?${query}`);
    const { data, is_complete } = body as { data: { name: string }[]; is_complete: boolean };
    return { status, names: data.map(({ name }) => name), is_complete };
  };
  const [first, second] = [
    { status: 200, names: ['plan1'], is_complete: false },
    { status: 200, names: ['plan1', 'plan2', 'plan3'], is_complete: true },
  ];
  expect(await search('name=PLAN&limit=1')).toEqual(first);
  expect(await search('name=PLAN&limit=200')).toEqual(second);
  expect(await search('content=select%202')).toEqual({ ...second, names: ['plan2'] });
});

it.each([
  ['name=a&limit=0', 'Limit must be between 1 and 200'],
  ['name=a&limit=201', 'Limit must be between 1 and 200'],
  ['name=a&limit=ten', 'Limit must be a whole number'],
  [`name=${'a'.repeat(201)}`, 'Search text must have at most 200 characters, and no control characters'],
  ['content=', 'Search requires either name or content'],
])('refuses %s', async (query, detail) => {
  const { ask } = await createWorld();
  expectRefusal(await ask('GET', `${SEARCH}?${query}`), 400, detail);
});
