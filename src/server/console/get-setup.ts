import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';

/** What the sign-in page may know before anybody is signed in. */
interface SetupBody {
  readonly administrator_has_password: boolean;
}

/** `GET setup`: whether anybody can sign in as an administrator yet; nothing else, since anybody may ask. */
export function addGetSetup(app: App, instance: Instance): void {
  app.get(
    '/setup',
    (): SetupBody => ({ administrator_has_password: instance.sessions.administratorHasPassword() }),
  );
}
