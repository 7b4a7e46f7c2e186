import { expect, it } from 'vitest';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { createDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { DEFAULT_CONNECTION_ID } from '../../src/store/values/default-connection.ts';
import { createTestClock, makeFolder } from '../store/temporary-home.ts';
import { createGrantWorld, listAll } from './grant-world.ts';

const USER = `
  INSERT INTO users (id, user_name, user_name_key, display_name, super_user, active, created_at, updated_at, role)
  VALUES (?, ?, ?, '', ?, 1, '', '', ?)
`;
const TOKEN = `
  INSERT INTO tokens (id, owner_id, name, description, hash, first8, last4, read_only, created_at)
  VALUES (?, ?, ?, '', ?, 'qrn_abcd', 'wxyz', ?, '')
`;
const GRANT = `
  INSERT INTO grants (id, user_id, connection_id, level, created_at) VALUES (?, ?, ?, ?, '')
`;
const LINK = `
  INSERT INTO linked_identities (provider, issuer, subject_key, subject, user_id, created_at)
  VALUES ('saml', 'https://idp.example', 'ed@quern.example', 'ed@quern.example', 'u3', '')
`;

it('keeps the grants, tokens and links of a home of schema version 12, and caps its VIEWERs at READ', () => {
  const home = makeFolder();
  const old = createDatabase(home, { clock: createTestClock(), migrations: migrations.slice(0, 12) });
  old.write(() => {
    old.statement(USER).run('u1', 'root', 'root', 1, 'ADMIN');
    old.statement(USER).run('u2', 'vic', 'vic', 0, 'VIEWER');
    old.statement(USER).run('u3', 'ed', 'ed', 0, 'EDITOR');
    old.statement(TOKEN).run('t1', 'u1', 'whole', 'h1', 0);
    old.statement(TOKEN).run('t2', 'u1', 'looking', 'h2', 1);
    old.statement(GRANT).run('g1', 'u2', DEFAULT_CONNECTION_ID, 'MANAGE');
    old.statement(LINK).run();
  });
  old.close();
  const world = createGrantWorld(home);
  expect(listAll(world)).toEqual([
    'everyone EDIT @Shared',
    'everyone USE connection:duckdb',
    'user:vic MANAGE connection:duckdb',
  ]);
  const find = (userName: string): Principal => {
    const { id, superUser } = world.users.findByUserName(userName)!;
    return { ...world.admin, userId: id, userName, superUser, viewsOnly: userName === 'vic' };
  };
  const { levelOf } = world.permissions.connections;
  const levels = ['root', 'ed', 'vic'].map((name) => levelOf(find(name), DEFAULT_CONNECTION_ID));
  expect(levels).toEqual(['MANAGE', 'USE', 'READ']);
  const tokens = world.accounts.tokens.list(world.admin);
  expect(tokens.map(({ name, scope, read_only }) => [name, scope, read_only])).toEqual([
    ['looking', 'read', true],
    ['whole', 'all', false],
  ]);
  const links = world.database.statement('SELECT user_id, subject FROM linked_identities').all();
  expect(links).toEqual([{ user_id: 'u3', subject: 'ed@quern.example' }]);
});
