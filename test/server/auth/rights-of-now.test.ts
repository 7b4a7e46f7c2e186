import { expect, it } from 'vitest';
import { startChild } from '../../store/processes.ts';
import { createWorld, type World } from '../world.ts';

/**
 * How another process changes a right, how it restores the right, and the answers to each user between the
 * two.
 */
interface Withdrawal {
  readonly name: string;
  readonly does: readonly string[];
  readonly undoes: readonly string[];
  /** The answers to a read by `ada`, to an update by her, and to a read by the administrator. */
  readonly answers: readonly [read: number, update: number, admin: number];
}

const ADA = `(SELECT id FROM users WHERE user_name = 'ada')`;
const ALL = [200, 200, 200] as const;

/** Deletes rows from a table, and restores them with the rows of other tables that the deletion removes. */
function deletion(
  name: string,
  from: string,
  kept: readonly string[],
  answers: Withdrawal['answers'],
): Withdrawal {
  return {
    name,
    does: [
      ...kept.map((table) => `CREATE TEMP TABLE kept_${table} AS SELECT * FROM main.${table}`),
      `DELETE FROM ${from}`,
    ],
    undoes: kept.flatMap((table) => [
      `INSERT OR IGNORE INTO main.${table} SELECT * FROM kept_${table}`,
      `DROP TABLE kept_${table}`,
    ]),
    answers,
  };
}

function change(name: string, does: string, undoes: string, answers: Withdrawal['answers']): Withdrawal {
  return { name, does: [does], undoes: [undoes], answers };
}

const WITHDRAWALS: readonly Withdrawal[] = [
  deletion('her token is deleted', `tokens WHERE owner_id = ${ADA}`, ['tokens'], [401, 401, 200]),
  deletion(
    'she is deleted',
    `users WHERE user_name = 'ada'`,
    ['users', 'tokens', 'group_members'],
    [401, 401, 200],
  ),
  deletion(
    'she leaves her group',
    `group_members WHERE user_id = ${ADA}`,
    ['group_members'],
    [404, 404, 200],
  ),
  deletion('her group is deleted', 'groups', ['groups', 'group_members', 'grants'], [404, 404, 200]),
  deletion('all grants are deleted', 'grants', ['grants'], [404, 404, 200]),
  change(
    'her token expires',
    `UPDATE tokens SET expires_at = '2026-01-01T00:00:00.000Z' WHERE owner_id = ${ADA}`,
    'UPDATE tokens SET expires_at = NULL',
    [401, 401, 200],
  ),
  change(
    'her token becomes read-only',
    `UPDATE tokens SET scope = 'read' WHERE owner_id = ${ADA}`,
    "UPDATE tokens SET scope = 'all'",
    [200, 404, 200],
  ),
  change(
    'she is disabled',
    `UPDATE users SET active = 0 WHERE user_name = 'ada'`,
    'UPDATE users SET active = 1',
    [401, 401, 200],
  ),
  change(
    'she becomes a viewer',
    `UPDATE users SET role = 'VIEWER' WHERE user_name = 'ada'`,
    `UPDATE users SET role = 'EDITOR' WHERE user_name = 'ada'`,
    [200, 404, 200],
  ),
  change(
    'the grant is reduced',
    `UPDATE grants SET level = 'VIEW' WHERE group_id IS NOT NULL`,
    `UPDATE grants SET level = 'EDIT' WHERE group_id IS NOT NULL`,
    [200, 404, 200],
  ),
  change(
    'the folder below is restricted',
    `UPDATE catalog_items SET restricted = 1 WHERE name = 'below'`,
    `UPDATE catalog_items SET restricted = 0 WHERE name = 'below'`,
    [404, 404, 200],
  ),
  change(
    'the folder is renamed',
    `UPDATE catalog_items SET name = 'beneath' WHERE name = 'below'`,
    `UPDATE catalog_items SET name = 'below' WHERE name = 'beneath'`,
    [404, 404, 404],
  ),
  change(
    'the administrator loses the role',
    'UPDATE users SET super_user = 0',
    `UPDATE users SET super_user = 1 WHERE user_name = 'admin'`,
    [200, 200, 404],
  ),
];

async function createPlace(world: World): Promise<string> {
  const ada = await world.createUser('ada');
  const made = [
    await world.ask('POST', '/api/v1/catalog/folders', { body: { parent_path: '@Shared', name: 'closed' } }),
    await world.ask('POST', '/api/v1/catalog/folders', {
      body: { parent_path: '@Shared/closed', name: 'below' },
    }),
    await world.ask('POST', '/api/v1/catalog/assets', {
      body: { parent_path: '@Shared/closed/below', name: 'a', content: 'SELECT 1' },
    }),
    await world.ask('POST', '/api/v1/manage/groups', { body: { name: 'team' } }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const { accounts } = world.instance;
  const admin = world.instance.accounts.tokens.verify(world.token, {
    address: null,
    requestId: null,
  })!;
  accounts.groups.addMembers(admin, 'team', ['ada']);
  accounts.grants.set(admin, { subject: 'group:team', level: 'EDIT', target: '@Shared/closed' });
  accounts.grants.restrict(admin, '@Shared/closed', true);
  return ada;
}

it('applies a right that another process withdraws or restores at the next request', async () => {
  const world = await createWorld();
  const ada = await createPlace(world);
  const path = '/api/v1/catalog/by-path/@Shared/closed/below/a';
  const tryAll = async () => {
    const headers = { 'if-match': '*' };
    const update = { token: ada, headers, body: {} };
    const answers = [
      await world.ask('GET', path, { token: ada }),
      await world.ask('PUT', '/api/v1/catalog/folders/@Shared/closed/below', update),
      await world.ask('GET', path),
    ];
    return answers.map(({ status }) => status);
  };
  const { tell } = await startChild(new URL('../../store/writer.ts', import.meta.url), world.home);
  const seen: unknown[] = [];
  for (const { name, does, undoes } of WITHDRAWALS) {
    const before = [await tryAll(), await tryAll()];
    await tell(JSON.stringify(does));
    const after = [await tryAll(), await tryAll()];
    await tell(JSON.stringify(undoes));
    seen.push({ name, before, after });
  }
  expect(seen).toEqual(
    WITHDRAWALS.map(({ name, answers }) => ({ name, before: [ALL, ALL], after: [answers, answers] })),
  );
  expect(await tryAll()).toEqual(ALL);
});

it('applies a withdrawal during concurrent requests, in any order of these', async () => {
  const world = await createWorld();
  const ada = await createPlace(world);
  const path = '/api/v1/catalog/by-path/@Shared/closed/below/a';
  const { tell } = await startChild(new URL('../../store/writer.ts', import.meta.url), world.home);
  const read = async () => (await world.ask('GET', path, { token: ada })).status;
  const wrong: number[] = [];
  for (let round = 0; round < 20; round++) {
    const active = round % 2;
    const meanwhile = Promise.all(Array.from({ length: 20 }, read));
    await tell(JSON.stringify([`UPDATE users SET active = ${active} WHERE user_name = 'ada'`]));
    const next = await Promise.all([read(), read(), read()]);
    wrong.push(...next.filter((status) => status !== (active === 1 ? 200 : 401)));
    expect((await meanwhile).every((status) => status === 200 || status === 401)).toBe(true);
  }
  expect(wrong).toEqual([]);
});
