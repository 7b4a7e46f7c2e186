import type { Instance, Principal, SessionUserBody } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { consoleErrors } from './errors.ts';

/** The signed-in user, and the CSRF token for requests that change something. */
export interface SessionBody {
  readonly user: SessionUserBody;
  readonly csrf_token: string;
  /** Whether the user has no password and may set the first one in this session. */
  readonly may_choose_password: boolean;
}

/** `GET session`: the signed-in user. */
export function addGetSession(app: App, instance: Instance): void {
  app.get('/session', ({ principal, session }) => printSession(instance, principal, session.csrfToken));
}

/** A session in responses. Throws 401 if the user was just deleted. */
export function printSession(instance: Instance, principal: Principal, csrfToken: string): SessionBody {
  const user = instance.sessions.describeUser(principal);
  if (user === null) throw consoleErrors.noSession();
  return {
    user,
    csrf_token: csrfToken,
    may_choose_password: instance.sessions.mayChoosePassword(principal),
  };
}
