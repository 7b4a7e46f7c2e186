import { beforeEach, describe, expect, it } from 'vitest';
import type { TokenService } from '../../../src/identity/tokens/tokens.ts';
import { createAccountWorld, VISITOR } from '../account-world.ts';

type Search = Parameters<TokenService['search']>[1];

let world: ReturnType<typeof createAccountWorld>;
const DAY = 86_400_000;

beforeEach(() => {
  world = createAccountWorld();
  const { tokens, ada, bob, owner, pass } = world;
  const { token } = tokens.create(bob, { name: 'Übersicht', description: '' });
  tokens.create(ada, { name: 'b', description: '50%_of it', expiresAt: null });
  tokens.create(ada, { name: 'a' });
  tokens.create(owner, { name: 'ci' });
  pass(10 * DAY);
  tokens.verify(token, VISITOR);
});

const search = (conditions: Search, who = world.owner) =>
  world.tokens.search(who, conditions).data.map(({ owner, name }) => `${owner} ${name}`);

const since = (days: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + days * DAY);

describe('a search of tokens', () => {
  it.each<[string, Search, readonly string[]]>([
    ['of the caller', {}, ['admin ci']],
    ['of another user', { owner: 'ADA' }, ['ada a', 'ada b']],
    ['of all users, by owner and name', { owner: '*' }, ['ada a', 'ada b', 'admin ci', 'bob Übersicht']],
    ['with a part of the name', { owner: '*', q: 'ÜBER' }, ['bob Übersicht']],
    ['with a part of the description', { owner: '*', q: '%_O' }, ['ada b']],
    ['with a part of the owner', { owner: '*', q: 'DA' }, ['ada a', 'ada b']],
    ['without a request since a time', { owner: '*', unusedSince: since(5) }, ['ada a', 'ada b', 'admin ci']],
    ['that expire before a time', { owner: 'ada', expiresBefore: since(91) }, ['ada a']],
    ['that expire earlier', { owner: '*', expiresBefore: since(90) }, []],
  ])('finds those %s', (_, conditions, names) => {
    expect(search(conditions)).toEqual(names);
    expect(world.tokens.search(world.owner, { ...conditions, limit: 1 }).total).toBe(names.length);
  });

  it('continues after a token that exists', () => {
    const all = world.tokens.search(world.owner, { owner: '*' }).data;
    const rest = world.tokens.search(world.owner, { owner: '*', after: all[1]!.id, limit: 1 });
    expect(rest).toEqual({ data: [all[2]], total: 4 });
    expect(() => search({ owner: '*', after: 'gone' })).toThrow('After names a token that does not exist');
    expect(() => search({ limit: 0 })).toThrow('Limit must be between 1 and 1000');
  });

  it('shows the tokens of others to administrators only', () => {
    expect(search({}, world.ada)).toEqual(['ada a', 'ada b']);
    expect(() => search({ owner: '*' }, world.ada)).toThrow("You don't have permission");
    expect(() => search({ owner: 'bob' }, world.ada)).toThrow("You don't have permission");
  });
});
