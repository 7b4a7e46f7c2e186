import { expect, it, onTestFinished } from 'vitest';
import { createDatabase, openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { createTestClock, makeFolder } from './temporary-home.ts';

const USER = `
  INSERT INTO users (id, user_name, user_name_key, email, email_key, display_name, password_hash, super_user, role, active,
                     created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, '', ?, ?, ?, 1, ?, ?)
`;

/** A home of schema version 5 with three users, a group with two members, a token, a session and a grant. */
function makeOldHome(): string {
  const home = makeFolder();
  const old = createDatabase(home, { clock: createTestClock(), migrations: migrations.slice(0, 5) });
  old.write(() => {
    old
      .statement(USER)
      .run('u1', 'Root', 'root', 'r@x.org', 'r@x.org', '$argon2id$', 1, null, '2026-01-02', '2026-01-03');
    old.statement(USER).run('u2', 'ada', 'ada', null, null, null, 0, 'VIEWER', '2026-01-01', '2026-01-01');
    old.statement(USER).run('u3', 'bob', 'bob', null, null, null, 0, null, '2026-01-03', '2026-01-03');
    old
      .statement(`INSERT INTO groups VALUES ('g1', 'Team', 'team', 'The team', '2026-01-01', '2026-01-02')`)
      .run();
    old.statement(`INSERT INTO group_members (group_id, user_id) VALUES ('g1', 'u1'), ('g1', 'u2')`).run();
    old
      .statement(
        `INSERT INTO tokens (id, owner_id, name, description, hash, first8, last4, read_only, created_at)
         VALUES ('t1', 'u2', 'ci', '', 'h', 'f', 'l', 0, '')`,
      )
      .run();
    old.statement(`INSERT INTO sessions VALUES ('s1', 'u2', 'h', 'c', '', '', '')`).run();
    old
      .statement(
        `INSERT INTO grants (id, group_id, connection_id, level, created_at)
         SELECT 'gr1', 'g1', id, 'MANAGE', '' FROM connections`,
      )
      .run();
  });
  old.close();
  return home;
}

it('keeps users, groups and memberships of schema version 5, with all rows that refer to them', () => {
  const home = makeOldHome();
  const database = openDatabase(home, { clock: createTestClock(), migrations: migrations.slice(0, 6) });
  onTestFinished(() => database.close());
  const all = (sql: string) => database.statement(sql).all();
  const plain = { external_id: null, external: 0, origin: 'local', attributes: '{}', revision: 1 };
  expect(all('SELECT * FROM users ORDER BY id')).toEqual([
    expect.objectContaining({
      ...plain,
      id: 'u1',
      user_name: 'Root',
      email: 'r@x.org',
      password_hash: '$argon2id$',
      super_user: 1,
      created_at: '2026-01-02',
      updated_at: '2026-01-03',
    }),
    expect.objectContaining({ ...plain, id: 'u2', role: 'VIEWER' }),
    expect.objectContaining({ ...plain, id: 'u3', role: null }),
  ]);
  expect(all('SELECT * FROM groups')).toEqual([
    {
      id: 'g1',
      name: 'Team',
      name_key: 'team',
      display_name: 'The team',
      created_at: '2026-01-01',
      updated_at: '2026-01-02',
      external_id: null,
      description: '',
      external: 0,
      origin: 'local',
      revision: 1,
    },
  ]);
  expect(all('SELECT * FROM group_members ORDER BY user_id')).toEqual([
    { group_id: 'g1', user_id: 'u1', source: 'local' },
    { group_id: 'g1', user_id: 'u2', source: 'local' },
  ]);
  expect([all('SELECT id FROM tokens'), all('SELECT id FROM sessions')]).toEqual([
    [{ id: 't1' }],
    [{ id: 's1' }],
  ]);
  expect(all(`SELECT id FROM grants WHERE group_id = 'g1'`)).toEqual([{ id: 'gr1' }]);
  expect(all('PRAGMA foreign_key_check')).toEqual([]);
});

it('allows a membership from several sources, and deletes it with the group or the user', () => {
  const database = openDatabase(makeOldHome(), { clock: createTestClock() });
  onTestFinished(() => database.close());
  const run = (sql: string) => database.write(() => database.statement(sql).run());
  run(`INSERT INTO group_members VALUES ('g1', 'u2', 'scim'), ('g1', 'u3', 'saml')`);
  expect(() => run(`INSERT INTO group_members VALUES ('g1', 'u2', 'scim')`)).toThrow('UNIQUE');
  expect(() => run(`INSERT INTO group_members VALUES ('g1', 'u2', 'else')`)).toThrow('CHECK');
  expect(() => run(`INSERT INTO group_members VALUES ('g1', 'u9', 'scim')`)).toThrow('FOREIGN KEY');
  const members = () =>
    database.statement('SELECT user_id, source FROM group_members ORDER BY user_id, source').all();
  run(`DELETE FROM users WHERE id = 'u2'`);
  expect(members()).toEqual([
    { user_id: 'u1', source: 'local' },
    { user_id: 'u3', source: 'saml' },
  ]);
  run(`DELETE FROM groups WHERE id = 'g1'`);
  expect(members()).toEqual([]);
});
