import type { Instance, SsoBody } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';

/** What the sign-in page may know before anybody is signed in. */
interface SetupBody {
  readonly administrator_has_password: boolean;
  readonly sso: SsoBody | null;
}

/**
 * `GET setup`: whether anybody can sign in as an administrator yet, and where people sign in elsewhere; nothing else, since
 * anybody may ask.
 */
export function addGetSetup(app: App, { sessions }: Instance): void {
  app.get(
    '/setup',
    (): SetupBody => ({
      administrator_has_password: sessions.administratorHasPassword(),
      sso: sessions.findSso(),
    }),
  );
}
