import type { Instance, Principal, SessionUserBody } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { consoleErrors } from './errors.ts';

/** Who is signed in, and what the page must send along to change something. */
interface SessionBody {
  readonly user: SessionUserBody;
  readonly csrf_token: string;
}

/** `GET session`: who is signed in. */
export function addGetSession(app: App, instance: Instance): void {
  app.get('/session', ({ principal, session }) => printSession(instance, principal, session.csrfToken));
}

/** A session as its page sees it. Throws 401 when the user has just been deleted. */
export function printSession(instance: Instance, principal: Principal, csrfToken: string): SessionBody {
  const user = instance.sessions.describeUser(principal);
  if (user === null) throw consoleErrors.noSession();
  return { user, csrf_token: csrfToken };
}
