import type { Principal } from '../../identity/principal/principal.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';

/** The signed-in user, and the CSRF token for requests that change something. */
export interface SessionBody {
  readonly user: {
    readonly user_name: string;
    readonly display_name: string;
    readonly email: string | null;
    /** `ADMIN` for all users who manage the instance. */
    readonly role: string;
  };
  readonly csrf_token: string;
  /** Whether the user has no password and may set the first one in this session. */
  readonly may_choose_password: boolean;
  /** ISO 8601, UTC; the results of earlier runs are lost. */
  readonly server_started_at: string;
  /** How many days the bin keeps deleted items; 0: they are deleted at once. */
  readonly days_in_bin: number;
}

/** `GET session`: the signed-in user. */
export function addGetSession(app: App, instance: Instance): void {
  app.get('/session', ({ principal, session, server }) =>
    printSession(instance, server, principal, session.csrfToken),
  );
}

/** A session in responses. */
export function printSession(
  { accounts, bin }: Instance,
  { startedAt }: Pick<App, 'startedAt'>,
  principal: Principal,
  csrfToken: string,
): SessionBody {
  const { user_name, display_name, email, role, password } = accounts.profile.get(principal);
  return {
    user: { user_name, display_name, email, role },
    csrf_token: csrfToken,
    may_choose_password: password === 'first',
    server_started_at: startedAt.toISOString(),
    days_in_bin: bin.findDays(),
  };
}
