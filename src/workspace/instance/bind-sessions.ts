import type { Visitor } from '../../identity/audit/audit.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { roleOf } from '../../identity/principal/roles.ts';
import type { StartedSession, VerifiedSession } from '../../identity/sessions/sessions.ts';
import type { SignInRequest } from '../../identity/sessions/sign-in.ts';
import type { Services } from '../services/services.ts';

/** Who is signed in, for the person themself. */
export interface SessionUserBody {
  readonly user_name: string;
  readonly display_name: string;
  readonly email: string | null;
  /** `ADMIN` for everybody who manages the instance. */
  readonly role: string;
}

/** People's sessions at the console (identity 1); where a method throws, it is a ServiceError. */
export interface SessionsApi {
  /** Rejects with 401 for a wrong password or user, 429 with the seconds to wait, 503 when too many sign in at once. */
  signIn(
    request: SignInRequest,
    visitor: Visitor,
  ): Promise<{ readonly principal: Principal; readonly session: StartedSession }>;
  /** Who acts with this cookie; null for one that is good for nothing. */
  find(cookieValue: string, visitor: Visitor): VerifiedSession | null;
  signOut(principal: Principal, sessionId: string): void;
  /** The account behind a session; null when it has just been deleted. */
  describeUser(principal: Principal): SessionUserBody | null;
  /** Whether somebody can sign in as an administrator. */
  administratorHasPassword(): boolean;
  /** How people sign in elsewhere; null where they do not. */
  findSso(): SsoBody | null;
}

/** Where people sign in elsewhere. */
export interface SsoBody {
  /** As in "Sign in with NAME". */
  readonly name: string;
  /** A path of this server. */
  readonly url: string;
  /** Whether only administrators sign in with a password. */
  readonly only: boolean;
}

/** The sessions of an open home. */
export function bindSessions({ users, accounts }: Pick<Services, 'users' | 'accounts'>): SessionsApi {
  return {
    signIn: (request, visitor) => accounts.signIn.signIn(request, visitor),
    find: (cookieValue, visitor) => accounts.sessions.verify(cookieValue, visitor),
    signOut: (principal, sessionId) => accounts.signIn.signOut(principal, sessionId),
    describeUser: ({ userId }) => {
      const user = users.findById(userId);
      if (user === undefined) return null;
      const { userName, displayName, email } = user;
      return { user_name: userName, display_name: displayName, email, role: roleOf(user) };
    },
    administratorHasPassword: () => accounts.users.administratorHasPassword(),
    findSso: () => {
      const settings = accounts.saml.findSettings();
      if (settings === null) return null;
      return { name: settings.name, url: '/api/auth/login/saml2', only: settings.ssoOnly };
    },
  };
}
