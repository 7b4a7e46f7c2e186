import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { getSessionCookie } from './session-cookie.ts';

/** `POST sign-out`: ends the session, and has the browser forget it. */
export function addSignOut(app: App, instance: Instance, baseUrl: string | null): void {
  app.post('/sign-out', async (request, reply) => {
    instance.sessions.signOut(request.principal, request.session.id);
    const cookie = getSessionCookie(request, baseUrl);
    reply.clearCookie(cookie.name, cookie.options);
    return reply.code(204).send();
  });
}
