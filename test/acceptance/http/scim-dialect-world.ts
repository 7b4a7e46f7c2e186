import { expect } from 'vitest';
import { expectScimRefusal, type Kind, type Provider, type Resource } from '../../support/scim.ts';

/** Two users, and requests about them and others. */
export interface DialectWorld {
  readonly provider: Provider;
  readonly ada: Resource;
  readonly bob: Resource;
  /** An unused name. */
  newName(): string;
  /** An unused address. */
  mail(): string;
  /** The result of operations on a resource: the answer equals a later read. */
  change(kind: Kind, made: Resource, ...operations: readonly object[]): Promise<Resource>;
  /** The same for a new user with these fields. */
  changeUser(fields: object, ...operations: readonly object[]): Promise<Resource>;
  /** The same for a new group with these members. */
  changeGroup(members: readonly Resource[], ...operations: readonly object[]): Promise<Resource>;
  /** Operations that are refused, and change nothing. */
  refuse(kind: Kind, made: Resource, scimType: string, ...operations: readonly object[]): Promise<void>;
  /** The same for a new user. */
  refuseUser(scimType: string, ...operations: readonly object[]): Promise<void>;
}

/** A row of docs/reference/scim-changes.md#accepted-forms: its number, its text, and its test. */
export type Dialect = readonly [row: number, words: string, run: (world: DialectWorld) => Promise<void>];

const withPath = (path: string | undefined) => (path === undefined ? {} : { path });

/** Operations in the notation of Entra ID. */
export const add = (path: string | undefined, value: unknown) => ({ op: 'Add', ...withPath(path), value });
export const replace = (path: string | undefined, value: unknown) => ({
  op: 'Replace',
  ...withPath(path),
  value,
});
export const remove = (path?: string, value?: unknown) => ({ op: 'Remove', ...withPath(path), value });

/** The ids of a group's members, sorted. */
export const membersOf = ({ members = [] }: Resource) => members.map(({ value }) => value).toSorted();
export const ids = (...users: readonly Resource[]) => users.map(({ id }) => id).toSorted();

/** Creates the users. */
export async function createDialectWorld(provider: Provider): Promise<DialectWorld> {
  let count = 0;
  const newName = () => `name${++count}`;
  const change: DialectWorld['change'] = async (kind, made, ...operations) => {
    const answer = await provider.patch(kind, made.id, ...operations);
    expect(answer.status, answer.text).toBe(200);
    expect(await provider.get(kind, made.id)).toEqual(answer.body);
    return answer.body as Resource;
  };
  const refuse: DialectWorld['refuse'] = async (kind, made, scimType, ...operations) => {
    const before = await provider.send('GET', `/${kind}/${made.id}`);
    expectScimRefusal(await provider.patch(kind, made.id, ...operations), 400, scimType);
    expect((await provider.send('GET', `/${kind}/${made.id}`)).text).toBe(before.text);
  };
  return {
    provider,
    ada: await provider.addUser('ada'),
    bob: await provider.addUser('bob'),
    newName,
    mail: () => `${newName()}@example.org`,
    change,
    changeUser: async (fields, ...operations) =>
      change('Users', await provider.addUser(newName(), fields), ...operations),
    changeGroup: async (members, ...operations) =>
      change('Groups', await provider.addGroup(newName(), ids(...members)), ...operations),
    refuse,
    refuseUser: async (scimType, ...operations) =>
      refuse('Users', await provider.addUser(newName()), scimType, ...operations),
  };
}
