import { changeAccount } from '../../../src/identity/accounts/change-account.ts';
import type { NewUser, User, UserChange } from '../../../src/identity/records/users.ts';
import type { ProvenIdentity, SignOnRules } from '../../../src/identity/sign-on/proven-identity.ts';
import { SignOnError } from '../../../src/identity/sign-on/proven-identity.ts';
import {
  createSignOnService,
  type SignedOn,
  type SignOnService,
} from '../../../src/identity/sign-on/sign-on.ts';
import { type AccountWorld, createAccountWorld, VISITOR, type WorldOptions } from '../account-world.ts';

/** A home with three users, and sign-ins from an identity provider. */
export interface SignOnWorld extends AccountWorld {
  readonly signOn: SignOnService;
  /** Signs a user in; the e-mail address of an identity is its subject by default. */
  enter(identity: Partial<ProvenIdentity>, rules?: Partial<SignOnRules>): SignedOn;
  /** As `enter`, for a refused sign-in; returns the name of the check. */
  refuse(identity: Partial<ProvenIdentity>, rules?: Partial<SignOnRules>): string;
  /** The effect that a sign-in would have. */
  preview(identity: Partial<ProvenIdentity>, rules?: Partial<SignOnRules>): string;
  make(user: NewUser): User;
  change(userName: string, change: UserChange): void;
  groupsOf(userName: string): readonly string[];
  /** The actor, action, object and result of each audit entry after the world was created, oldest first. */
  listAudit(): readonly string[];
}

export const ISSUER = 'https://idp.example.org/metadata';

export function toIdentity(given: Partial<ProvenIdentity>): ProvenIdentity {
  const email = given.email ?? given.subject ?? 'eve@example.org';
  return {
    provider: 'saml',
    issuer: ISSUER,
    subject: email,
    email,
    userName: null,
    firstName: null,
    lastName: null,
    groups: null,
    sessionEndsAt: null,
    detail: '{}',
    ...given,
  };
}

export function createSignOnWorld(options: WorldOptions = {}): SignOnWorld {
  const world = createAccountWorld(options);
  const signOn = createSignOnService(world);
  const toRules = (rules: Partial<SignOnRules>): SignOnRules => ({
    jit: true,
    createGroups: true,
    bindSuperUsers: true,
    ...rules,
  });
  const enter: SignOnWorld['enter'] = (identity, rules = {}) =>
    signOn.signIn(toIdentity(identity), toRules(rules), VISITOR);
  const { users } = world;
  return {
    ...world,
    signOn,
    enter,
    refuse: (identity, rules) => {
      try {
        enter(identity, rules);
      } catch (error) {
        if (error instanceof SignOnError) return error.check;
        throw error;
      }
      throw new Error('not refused');
    },
    preview: (identity, rules = {}) => signOn.preview(toIdentity(identity), toRules(rules)).text,
    make: (user) => users.create(user),
    change: (userName, change) => {
      const user = users.findByUserName(userName);
      if (user === undefined) throw new Error(`no user ${userName}`);
      const context = { ...world, onDelete: () => undefined };
      world.database.write(() => changeAccount(context, world.owner, user, change));
    },
    groupsOf: (userName) =>
      world.groups
        .list(world.owner)
        .filter(({ members }) => members.includes(userName))
        .map(({ name }) => name),
    listAudit: () =>
      world.trail
        .list(world.owner, { limit: 1_000 })
        .map(({ actor, action, object, result }) => [actor ?? '?', action, object, result].join(' | '))
        .reverse(),
  };
}
