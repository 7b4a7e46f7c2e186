import type { Visitor } from '../../identity/audit/audit.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { roleOf } from '../../identity/principal/roles.ts';
import type { OneTimeSignIn } from '../../identity/sessions/owner-sign-in.ts';
import type { VerifiedSession } from '../../identity/sessions/sessions.ts';
import type { SignedIn, SignInRequest } from '../../identity/sessions/sign-in.ts';
import type { Services } from '../services/services.ts';

/** The signed-in user, as shown to that user. */
export interface SessionUserBody {
  readonly user_name: string;
  readonly display_name: string;
  readonly email: string | null;
  /** `ADMIN` for all users who manage the instance. */
  readonly role: string;
}

/** Sessions of users at the console (docs/reference/sessions.md); methods throw only ServiceErrors. */
export interface SessionsApi {
  /**
   * Rejects with 401 for a wrong password or user, 429 with the seconds to wait, 503 for too many concurrent sign-ins.
   */
  signIn(request: SignInRequest, visitor: Visitor): Promise<SignedIn>;
  /** Signs the home's owner in with a secret of `quern ui`; see `OwnerSignIn`. Throws 401, 403 and 429. */
  signInOnce(request: OneTimeSignIn, visitor: Visitor): SignedIn;
  /** The session of this cookie; null for an invalid cookie. */
  find(cookieValue: string, visitor: Visitor): VerifiedSession | null;
  signOut(principal: Principal, sessionId: string): void;
  /** The account of a session; null when it has just been deleted. */
  describeUser(principal: Principal): SessionUserBody | null;
  /** Whether the user has no password and may set the first one in this session. */
  mayChoosePassword(principal: Principal): boolean;
  /** Whether any administrator can sign in with a password. */
  administratorHasPassword(): boolean;
  /** The single sign-on; null where it is not configured. */
  findSso(): SsoBody | null;
}

/** Single sign-on as the sign-in page shows it. */
export interface SsoBody {
  /** The provider's name, as in "Sign in with NAME". */
  readonly name: string;
  /** A path of this server. */
  readonly url: string;
  /** Whether only administrators may sign in with a password. */
  readonly only: boolean;
}

/** The sessions of an open home. */
export function bindSessions({ users, accounts }: Pick<Services, 'users' | 'accounts'>): SessionsApi {
  return {
    signIn: (request, visitor) => accounts.signIn.signIn(request, visitor),
    signInOnce: (request, visitor) => accounts.ownerSignIn.signIn(request, visitor),
    find: (cookieValue, visitor) => accounts.sessions.verify(cookieValue, visitor),
    signOut: (principal, sessionId) => accounts.signIn.signOut(principal, sessionId),
    describeUser: ({ userId }) => {
      const user = users.findById(userId);
      if (user === undefined) return null;
      const { userName, displayName, email } = user;
      return { user_name: userName, display_name: displayName, email, role: roleOf(user) };
    },
    mayChoosePassword: (principal) => accounts.profile.get(principal).password === 'first',
    administratorHasPassword: () => accounts.users.administratorHasPassword(),
    findSso: () => {
      const settings = accounts.saml.findSettings();
      if (settings === null) return null;
      return { name: settings.name, url: '/api/auth/login/saml2', only: settings.ssoOnly };
    },
  };
}
