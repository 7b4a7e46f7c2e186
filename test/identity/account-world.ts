import { onTestFinished } from 'vitest';
import { ServiceError } from '../../src/errors/service-error.ts';
import type { AccountContext } from '../../src/identity/account-context.ts';
import { createAccountPermissions } from '../../src/identity/account-permissions.ts';
import { createGroupService, type GroupService } from '../../src/identity/groups.ts';
import type { Principal } from '../../src/identity/principal.ts';
import { createTokenService, type TokenService } from '../../src/identity/tokens.ts';
import { createUserAccounts, type UserAccounts } from '../../src/identity/user-accounts.ts';
import { createUserService, toPrincipal, type User } from '../../src/identity/users.ts';
import { createDatabase } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/uuid.ts';
import { makeFolder } from '../store/temporary-home.ts';

/** A home with three users, whose clock stands still. */
export interface AccountWorld extends AccountContext {
  readonly accounts: UserAccounts;
  readonly groups: GroupService;
  readonly tokens: TokenService;
  /** `admin`, the one super-user. */
  readonly owner: Principal;
  /** `ada`, who is none. */
  readonly ada: Principal;
  /** `bob`, who is none. */
  readonly bob: Principal;
  /** Users whose deletion other modules were told of. */
  readonly deleted: User[];
  /** Moves the clock. */
  pass(milliseconds: number): void;
}

/** Where the clock stands at first. */
export const START = new Date('2026-03-01T00:00:00.000Z');

export function createAccountWorld(onDelete: (user: User) => void = () => undefined): AccountWorld {
  let now = START.getTime();
  const clock = () => new Date(now);
  const database = createDatabase(makeFolder(), { clock });
  onTestFinished(() => database.close());
  const newId = createUuidV7(clock);
  const users = createUserService({ database, clock, newId, onCreated: () => undefined });
  const context = { database, clock, newId, users, permissions: createAccountPermissions() };
  const deleted: User[] = [];
  return {
    ...context,
    accounts: createUserAccounts({
      ...context,
      onDelete: (user) => {
        deleted.push(user);
        onDelete(user);
      },
    }),
    groups: createGroupService(context),
    tokens: createTokenService(context),
    owner: toPrincipal(users.ensureOwner()),
    ada: toPrincipal(users.create({ userName: 'ada', email: 'ada@example.org' })),
    bob: toPrincipal(users.create({ userName: 'bob' })),
    deleted,
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** How a call was refused, as "status detail"; fails the test when it was not. */
export async function refusalOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.status} ${error.detail}`;
  }
  throw new Error('not refused');
}
