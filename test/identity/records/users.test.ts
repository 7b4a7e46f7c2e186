import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createUserService,
  toPrincipal,
  type User,
  type UserService,
} from '../../../src/identity/records/users.ts';
import { createDatabase, type Database } from '../../../src/store/database.ts';
import { createUuidV7 } from '../../../src/store/values/uuid.ts';
import { createTestClock, makeFolder } from '../../store/temporary-home.ts';

interface World {
  readonly database: Database;
  readonly users: UserService;
  /** The users that other modules were notified about. */
  readonly announced: User[];
}

function createWorld(onCreated: (user: User) => void = () => undefined, home = makeFolder()): World {
  const clock = createTestClock();
  const database = createDatabase(home, { clock });
  onTestFinished(() => database.close());
  const announced: User[] = [];
  const users = createUserService({
    database,
    clock,
    newId: createUuidV7(clock),
    onCreated: (user) => {
      announced.push(user);
      onCreated(user);
    },
  });
  return { database, users, announced };
}

function count({ database }: World): unknown {
  return database.statement<{ n: number }>('SELECT count(*) AS n FROM users').get()?.n;
}

describe('the owner', () => {
  it('is an administrator with the name admin by default', () => {
    const { users } = createWorld();
    expect(users.findOwner()).toBeUndefined();
    const owner = users.ensureOwner();
    expect(owner).toMatchObject({
      userName: 'admin',
      email: 'admin@localhost',
      superUser: true,
      active: true,
    });
    expect(users.findOwner()).toEqual(owner);
    expect(toPrincipal(owner)).toEqual({
      userId: owner.id,
      userName: 'admin',
      superUser: true,
      viewsOnly: false,
    });
  });

  it('can have another name and a password hash', () => {
    const { users, database } = createWorld();
    const owner = users.ensureOwner({
      userName: 'ada',
      email: 'ada@example.org',
      displayName: 'Ada',
      passwordHash: '$argon2id$',
    });
    expect(owner).toMatchObject({
      userName: 'ada',
      email: 'ada@example.org',
      displayName: 'Ada',
      superUser: true,
    });
    expect(database.statement('SELECT password_hash FROM users').all()).toEqual([
      { password_hash: '$argon2id$' },
    ]);
  });

  it('is created once', () => {
    const world = createWorld();
    const owner = world.users.ensureOwner();
    expect(world.users.ensureOwner({ userName: 'other' })).toEqual(owner);
    expect([count(world), world.announced]).toEqual([1, [owner]]);
  });

  it('is the first active administrator', () => {
    const { users } = createWorld();
    users.create({ userName: 'plain' });
    users.create({ userName: 'asleep', superUser: true, active: false });
    users.create({ userName: 'first', superUser: true });
    users.create({ userName: 'second', superUser: true });
    expect(users.findOwner()?.userName).toBe('first');
  });
});

describe('a new user', () => {
  it('can be found by its id, and by its names in any case', () => {
    const { users } = createWorld();
    const user = users.create({ userName: 'Jürgen', email: 'Jürgen@Example.org' });
    expect(user).toMatchObject({ superUser: false, active: true, displayName: '' });
    expect(user.createdAt).toMatch(/^2026-03-01T00:00:00\.\d{3}Z$/);
    expect(users.findById(user.id)).toEqual(user);
    for (const name of ['Jürgen', 'jürgen', 'JÜRGEN', 'Ju\u0308rgen'])
      expect(users.findByUserName(name)).toEqual(user);
    expect(users.findByEmail('jürgen@EXAMPLE.ORG')).toEqual(user);
    expect([users.findById('x'), users.findByUserName('jurgen'), users.findByEmail('x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is read again after another process has changed it', () => {
    const home = makeFolder();
    const { users } = createWorld(undefined, home);
    const other = createWorld(undefined, home);
    const { id } = users.create({ userName: 'jo' });
    expect(users.findById(id)).toMatchObject({ userName: 'jo', active: true });
    other.database.write(() => other.database.statement('UPDATE users SET active = 0 WHERE id = ?').run(id));
    expect(users.findById(id)).toMatchObject({ userName: 'jo', active: false });
  });

  it('uses its user name as its e-mail address when it is one', () => {
    const { users } = createWorld();
    expect(users.create({ userName: 'a@example.org' }).email).toBe('a@example.org');
    expect(users.create({ userName: 'b', email: '' }).email).toBeNull();
    expect(users.create({ userName: 'c' }).email).toBeNull();
  });

  it.each([
    [{ userName: 'ADA' }, 409, 'User name already exists: ADA'],
    [{ userName: 'bob', email: 'ADA@example.org' }, 409, 'E-mail already exists: ADA@example.org'],
    [{ userName: 'Ada@Example.org' }, 409, 'E-mail already exists: Ada@Example.org'],
    [{ userName: '' }, 400, 'User name is required'],
    [{ userName: 'x\ud800' }, 400, 'User name must be well-formed Unicode'],
    [{ userName: 'x', email: '\ud800' }, 400, 'E-mail must be well-formed Unicode'],
    [{ userName: 'x', displayName: '\ud800' }, 400, 'Display name must be well-formed Unicode'],
  ])('is refused as %j', (user, status, detail) => {
    const world = createWorld();
    world.users.create({ userName: 'ada', email: 'ada@example.org' });
    expect(() => world.users.create(user)).toThrow(expect.objectContaining({ status, detail }));
    expect(count(world)).toBe(1);
  });

  it('is rolled back when the data of another module cannot be created', () => {
    const world = createWorld((user) => {
      if (user.userName === 'homeless') throw new Error('no home');
    });
    expect(() => world.users.create({ userName: 'homeless' })).toThrow('no home');
    expect(count(world)).toBe(0);
  });

  it('distinguishes letters that only some languages treat as equal', () => {
    const { users } = createWorld();
    for (const userName of ['mike', 'mıke']) users.create({ userName });
    expect(users.findByUserName('MIKE')?.userName).toBe('mike');
  });
});

describe('the names near an unknown name', () => {
  it('are all names of a small home, in alphabetical order', () => {
    const { users } = createWorld();
    for (const userName of ['Cleo', 'bob', 'Ada']) users.create({ userName });
    expect(users.listNamesAround('BOBBY')).toEqual(['Ada', 'bob', 'Cleo']);
  });

  it('are a thousand before and after it in a large home', () => {
    const { database, users } = createWorld();
    database.write(() => {
      for (let i = 1000; i < 3100; i += 1) users.create({ userName: `u${i}` });
    });
    const names = users.listNamesAround('u2050x');
    expect([names.length, names[0], names.at(-1)]).toEqual([2000, 'u1051', 'u3050']);
  });
});
