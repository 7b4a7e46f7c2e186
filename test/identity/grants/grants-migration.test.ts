import { expect, it } from 'vitest';
import { createDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations/migrations.ts';
import { DEFAULT_CONNECTION_ID } from '../../../src/store/values/default-connection.ts';
import { HUB_ROOT_ID, SHARED_ROOT_ID } from '../../../src/store/values/roots.ts';
import { createTestClock, makeFolder } from '../../store/temporary-home.ts';
import { createGrantWorld, listAll, tryLevel } from '../grant-world.ts';

const USER = `
  INSERT INTO users (id, user_name, user_name_key, display_name, super_user, active, created_at, updated_at)
  VALUES (?, ?, ?, '', ?, 1, '', '')
`;
const ITEM = `
  INSERT INTO catalog_items (id, parent_id, name, type, description, revision, creator_id, created_at, updated_at)
  VALUES (?, ?, ?, ?, '', 1, ?, '', '')
`;
const CONNECTION = `
  INSERT INTO connections (id, name, kind, description, options, revision, creator_id, created_at, updated_at)
  VALUES (?, ?, 'duckdb', '', '{}', 1, ?, '', '')
`;

it('keeps the access of all users and creators when a home of schema version 3 is migrated', () => {
  const home = makeFolder();
  const old = createDatabase(home, { clock: createTestClock(), migrations: migrations.slice(0, 3) });
  old.write(() => {
    old.statement(USER).run('u1', 'root', 'root', 1);
    old.statement(USER).run('u2', 'ada', 'ada', 0);
    old.statement(ITEM).run('u1', null, '@Personal', 'USER_HOME', 'u1');
    old.statement(ITEM).run('u2', null, '@Personal', 'USER_HOME', 'u2');
    old.statement(ITEM).run('p', HUB_ROOT_ID, 'p', 'PROJECT', 'u2');
    old.statement(ITEM).run('in', 'p', 'in', 'REGULAR_FOLDER', 'u1');
    old.statement(ITEM).run('q', HUB_ROOT_ID, 'q', 'SQL_SCRIPT', null);
    old.statement(ITEM).run('x', SHARED_ROOT_ID, 'x', 'REGULAR_FOLDER', 'u2');
    old.statement(CONNECTION).run('c', 'shop', 'u2');
    old.statement(CONNECTION).run('d', 'left', null);
  });
  old.close();
  const world = createGrantWorld(home);
  expect(world.admin.userName).toBe('root');
  expect(listAll(world)).toEqual([
    'user:ada MANAGE @Project Hub/p',
    'everyone EDIT @Shared',
    'everyone USE connection:duckdb',
    'user:ada MANAGE connection:shop',
  ]);
  const ada = { ...world.admin, userId: 'u2', userName: 'ada', superUser: false };
  const paths = ['@Project Hub/p/in', '@Project Hub/q', '@Shared/x', '@Personal'];
  expect(paths.map((path) => tryLevel(world, ada, path))).toEqual(['MANAGE', 'NONE', 'EDIT', 'MANAGE']);
  const { levelOf } = world.permissions.connections;
  expect([DEFAULT_CONNECTION_ID, 'c', 'd'].map((id) => levelOf(ada, id))).toEqual(['USE', 'MANAGE', 'NONE']);
});
