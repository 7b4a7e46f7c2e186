import { beforeAll, expect, it } from 'vitest';
import { createProvider } from '../../support/scim.ts';
import { shareServer } from '../../support/server.ts';
import { createDialectWorld, type DialectWorld } from './scim-dialect-world.ts';
import { PATCH_DIALECTS } from './scim-patch-dialects.ts';
import { REQUEST_DIALECTS } from './scim-request-dialects.ts';

const DIALECTS = [...PATCH_DIALECTS, ...REQUEST_DIALECTS];

const shared = shareServer();
let world: DialectWorld;

beforeAll(async () => {
  world = await createDialectWorld(createProvider(shared.admin));
});

it('the table has forty rows', () => {
  expect(DIALECTS.map(([row]) => row)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
});

it.each(DIALECTS)('%i: %s', async (_row, _words, run) => {
  await run(world);
  expect(await world.provider.get('Users', world.ada.id)).toMatchObject({ userName: 'ada', active: true });
});
