import type { Visitor } from '../audit/audit.ts';
import { oneTimeSignInErrors } from '../errors.ts';
import { createOneTimeSecrets } from './one-time-secrets.ts';
import { begin, type SignedIn, type SignInContext, startSession } from './sign-in.ts';

/** The command in the audit log, and the name under which failed attempts are counted. */
const COMMAND = 'quern ui';

/** A sign-in with a one-time secret. */
interface OneTimeSignIn {
  readonly secret: string;
  /** Whether the file has sent the request, in a browser on this machine, without a proxy. */
  readonly isLocal: boolean;
  /** Where failures are counted, instead of the visitor's address. */
  readonly countedAt?: string | undefined;
  /** The browser's `User-Agent`. */
  readonly userAgent?: string | undefined;
}

/** Signs the home's owner in at the console, without a password, for a person who has access to the home's folder. */
export interface OwnerSignIn {
  /** Creates a one-time secret for the owner; see `OneTimeSecrets`. Null without an active administrator. */
  createSecret(onEnd: () => void): string | null;
  /**
   * Ends the secret, and starts a session. Throws 401 for a secret that is unknown, used or expired, 403 for a request
   * from elsewhere and for an owner who is disabled by now, 429 with the seconds to wait.
   */
  signIn(request: OneTimeSignIn, visitor: Visitor): SignedIn;
  /** Ends all secrets. */
  close(): void;
}

/** The sign-in of the owner of an open database. */
export function createOwnerSignIn(context: SignInContext): OwnerSignIn {
  const { database, users, throttle } = context;
  const secrets = createOneTimeSecrets(context.clock);
  return {
    createSecret: (onEnd) => {
      const owner = database.read(() => users.findOwner());
      return owner === undefined ? null : secrets.create(owner.id, onEnd);
    },
    signIn: (request, visitor) => {
      // A secret that has been seen elsewhere must not be used again, so a refusal ends it as well.
      const userId = secrets.take(request.secret);
      if (!request.isLocal) throw refuse(context, request, visitor, oneTimeSignInErrors.notLocal());
      if (userId === null) throw refuse(context, request, visitor, oneTimeSignInErrors.ended());
      const signedIn = database.write(() => {
        const user = users.findById(userId);
        if (user?.active !== true || !user.superUser) return null;
        throttle.forget([COMMAND]);
        const object = `${COMMAND}: ${user.userName}`;
        return startSession(context, user, visitor, { method: 'ui', userAgent: request.userAgent, object });
      });
      return signedIn ?? refuse(context, request, visitor, oneTimeSignInErrors.notOwner());
    },
    close: () => secrets.close(),
  };
}

/** Counts and records a failed sign-in. Throws `error`, or 429 after too many failures. A valid secret never waits. */
function refuse(context: SignInContext, { countedAt }: OneTimeSignIn, visitor: Visitor, error: Error): never {
  const record = () =>
    context.audit.recordVisitor(visitor, { action: 'sign-in', object: COMMAND, result: 'refused' });
  begin(context, { login: COMMAND, address: countedAt ?? visitor.address }, record);
  record();
  throw error;
}
