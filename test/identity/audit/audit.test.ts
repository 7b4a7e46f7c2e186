import { describe, expect, it } from 'vitest';
import type { AuditFilter } from '../../../src/identity/context/audit-trail.ts';
import { type AccountWorld, createAccountWorld, refusalOf, START, VISITOR } from '../account-world.ts';

const DAY = 86_400_000;

function summarize({ trail, owner }: AccountWorld, filter: AuditFilter = {}) {
  return trail
    .list(owner, filter)
    .map(({ action, object, result }) => `${action} ${object}${result === 'done' ? '' : ` ${result}`}`);
}

/** A world with five events, each one day after the previous one. */
function createFiveDays(): AccountWorld {
  const world = createAccountWorld();
  const [one, two] = [world.owner, world.ada];
  for (const [principal, object] of [
    [one, 'first'],
    [two, 'second'],
    [one, 'THIRD 50%'],
    [two, null],
    [one, 'fifth'],
  ] as const) {
    world.audit.record(principal, { action: object === null ? 'sign-out' : 'group.create', object });
    world.pass(DAY);
  }
  return world;
}

describe('an entry', () => {
  it('records actor, action, object, time and origin', () => {
    const world = createAccountWorld();
    const { token, body } = world.tokens.create(world.owner, { name: 'ci' });
    const principal = world.tokens.verify(token, VISITOR)!;
    world.groups.create(principal, 'team');
    expect(world.trail.list(world.owner, { action: 'group.create' })).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        at: START.toISOString(),
        actor: 'admin',
        token: body.id,
        action: 'group.create',
        object: 'team',
        result: 'done',
        address: VISITOR.address,
        request_id: VISITOR.requestId,
      },
    ]);
  });

  it('records every change of users, groups and tokens, and no refused change', async () => {
    const world = createAccountWorld();
    const { accounts, groups, tokens, owner } = world;
    await accounts.create(owner, 'carol', {
      role: 'viewer',
      email: 'c@example.org',
      password: 'long enough',
    });
    await accounts.set(owner, 'CAROL', { role: 'Admin', active: false, password: 'longer enough' });
    await accounts.set(owner, 'carol', { role: 'EDITOR', displayName: 'C', email: '', active: true });
    groups.create(owner, 'Team');
    groups.addMembers(owner, 'team', ['ADA', 'carol', 'ada']);
    groups.addMembers(owner, 'team', ['ada', 'bob']);
    groups.removeMembers(owner, 'team', ['ada', 'bob']);
    const { body } = tokens.create(owner, { name: 'ci', owner: 'ada' });
    for (const act of [
      () => accounts.create(owner, 'ada', {}),
      () => accounts.set(owner, 'admin', { role: 'EDITOR', password: 'long enough' }),
      () => accounts.delete(owner, 'admin'),
      () => groups.create(owner, 'team'),
      () => groups.addMembers(owner, 'team', ['ada', 'nobody']),
      () => groups.removeMembers(owner, 'team', ['carol', 'ada']),
      () => tokens.create(owner, { name: 'ci', owner: 'ada' }),
      () => tokens.delete(owner, 'none'),
    ]) {
      expect(await refusalOf(act)).toMatch(/^4/);
    }
    tokens.delete(owner, body.id, 'ada');
    groups.delete(owner, 'team');
    accounts.delete(owner, 'carol');
    expect(summarize(world).reverse()).toEqual([
      'user.create carol: role VIEWER, e-mail c@example.org',
      'user.password carol',
      'user.update carol: role ADMIN, disabled',
      'user.update carol: role EDITOR, enabled, e-mail none, display name',
      'group.create Team',
      'group.add Team: ada',
      'group.add Team: carol',
      'group.add Team: bob',
      'group.remove Team: ada',
      'group.remove Team: bob',
      `token.create ada: ci (${body.id})`,
      `token.delete ada: ci (${body.id})`,
      'group.delete Team',
      'user.delete carol',
    ]);
  });

  it('is rolled back with the change', () => {
    const world = createAccountWorld();
    expect(() =>
      world.database.write(() => {
        world.groups.create(world.owner, 'team');
        throw new Error('undone');
      }),
    ).toThrow('undone');
    expect(summarize(world)).toEqual([]);
  });

  it('contains no secret', async () => {
    const world = createAccountWorld();
    const secrets = ['first secret!', 'second secret!', 'guessed secret!'];
    await world.accounts.set(world.owner, 'ada', { password: secrets[0] });
    const { principal, session } = await world.signing.signIn(
      { login: 'ada', password: secrets[0]! },
      VISITOR,
    );
    const errors = [
      await world.signing.signIn({ login: 'ada', password: secrets[2]! }, VISITOR).catch(String),
      await world.signing
        .changePassword(principal, { current: secrets[2]!, next: secrets[1]! })
        .catch(String),
    ];
    await world.signing.changePassword(principal, { current: secrets[0]!, next: secrets[1]! });
    const { token } = world.tokens.create(principal, { name: 'ci' });
    const hashes = world.database.statement('SELECT password_hash FROM users').all();
    const all = JSON.stringify([world.database.statement('SELECT * FROM audit_log').all(), errors]);
    expect(JSON.stringify(hashes)).toContain('argon2id');
    for (const secret of [...secrets, session.cookieValue, session.csrfToken, token, 'argon2id']) {
      expect(all).not.toContain(secret);
    }
  });

  it('cannot be changed or removed', () => {
    const world = createFiveDays();
    for (const sql of [
      "UPDATE audit_log SET actor = 'eve'",
      'UPDATE audit_log SET result = result',
      'DELETE FROM audit_log',
      "DELETE FROM audit_log WHERE actor = 'admin'",
    ]) {
      expect(() => world.database.statement(sql).run()).toThrow('the audit log is append-only');
    }
    expect(summarize(world)).toHaveLength(5);
  });

  it('stays when its actor is deleted', () => {
    const world = createAccountWorld();
    world.audit.record(world.ada, { action: 'sign-out', object: 'ada' });
    world.accounts.delete(world.owner, 'ada');
    expect(summarize(world, { actor: 'ada' })).toEqual(['sign-out ada']);
  });
});

describe('the log', () => {
  it.each<[AuditFilter, string[]]>([
    [{}, ['fifth', 'null', 'THIRD 50%', 'second', 'first']],
    [{ actor: 'Admin' }, ['fifth', 'THIRD 50%', 'first']],
    [{ actor: 'nobody' }, []],
    [{ action: 'sign-out' }, ['null']],
    [{ action: 'sign' }, []],
    [{ object: 'fi' }, ['fifth', 'first']],
    [{ object: 'third' }, ['THIRD 50%']],
    [{ object: '%' }, ['THIRD 50%']],
    [{ object: '_' }, []],
    [{ object: "' OR 1=1 --" }, []],
    [{ since: START, until: new Date(START.getTime() + DAY) }, ['first']],
    [{ since: new Date(START.getTime() + 4 * DAY) }, ['fifth']],
    [{ since: new Date(START.getTime() + 4 * DAY + 1) }, []],
    [{ limit: 2 }, ['fifth', 'null']],
    [{ limit: 1, actor: 'ada', object: 'second' }, ['second']],
  ])('lists the entries that match %j, newest first', (filter, objects) => {
    const { trail, owner } = createFiveDays();
    expect(trail.list(owner, filter).map(({ object }) => String(object))).toEqual(objects);
  });

  it('lists entries page by page', () => {
    const { trail, owner, audit } = createAccountWorld();
    for (let i = 0; i < 250; i++) audit.record(owner, { action: 'group.create', object: `${i}` });
    const pages: (string | null)[][] = [];
    for (let before: string | undefined; pages.at(-1)?.length !== 0; ) {
      const page = trail.list(owner, { before });
      pages.push(page.map(({ object }) => object));
      before = page.at(-1)?.id;
    }
    expect(pages.map((page) => page.length)).toEqual([100, 100, 50, 0]);
    expect(pages.flat()).toEqual(Array.from({ length: 250 }, (_, i) => `${249 - i}`));
  });

  it.each<[AuditFilter, string]>([
    [{ limit: 0 }, '400 Limit must be between 1 and 1000'],
    [{ limit: 1001 }, '400 Limit must be between 1 and 1000'],
    [{ limit: 1.5 }, '400 Limit must be between 1 and 1000'],
    [{ limit: Number.NaN }, '400 Limit must be between 1 and 1000'],
    [{ since: new Date(Number.NaN) }, '400 Since and until must be times'],
    [{ until: new Date(Number.NaN) }, '400 Since and until must be times'],
  ])('refuses the filter %j', async (filter, refusal) => {
    const { trail, owner } = createAccountWorld();
    expect(await refusalOf(() => trail.list(owner, filter))).toBe(refusal);
  });

  it('can only be read by administrators', async () => {
    const { trail, ada } = createFiveDays();
    expect(await refusalOf(() => trail.list(ada, { limit: 0 }))).toBe(
      "403 You don't have permission to perform the request",
    );
  });
});

describe('a read-only token', () => {
  it('cannot change accounts, for any owner', async () => {
    const world = createAccountWorld();
    const { accounts, groups, tokens, trail, owner } = world;
    groups.create(owner, 'team');
    groups.addMembers(owner, 'team', ['ada']);
    const { token } = tokens.create(owner, { name: 'look', readOnly: true });
    const reader = tokens.verify(token, VISITOR)!;
    expect(reader.superUser).toBe(true);
    const state = () =>
      JSON.stringify([
        accounts.list(reader),
        groups.list(reader),
        tokens.list(reader),
        trail.list(reader, {}),
      ]);
    const before = state();
    for (const act of [
      () => accounts.create(reader, 'carol', {}),
      () => accounts.set(reader, 'ada', { role: 'ADMIN' }),
      () => accounts.set(reader, 'admin', { password: 'long enough' }),
      () => accounts.delete(reader, 'ada'),
      () => groups.create(reader, 'other'),
      () => groups.addMembers(reader, 'team', ['bob']),
      () => groups.removeMembers(reader, 'team', ['ada']),
      () => groups.delete(reader, 'team'),
      () => tokens.create(reader, { name: 'more' }),
      () => tokens.create(reader, { name: 'more', owner: 'ada' }),
      () => tokens.delete(reader, 'look'),
      () => world.signing.changePassword(reader, { current: 'x', next: 'long enough' }),
    ]) {
      expect(await refusalOf(act)).toBe("403 You don't have permission to perform the request");
    }
    expect(state()).toBe(before);
  });

  it('is not a full token, which can create and delete tokens', () => {
    const { tokens, ada } = createAccountWorld();
    const principal = tokens.verify(tokens.create(ada, { name: 'ci' }).token)!;
    tokens.create(principal, { name: 'more' });
    tokens.delete(principal, 'ci');
    expect(tokens.list(principal).map(({ name }) => name)).toEqual(['more']);
  });
});
