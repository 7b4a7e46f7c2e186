import type { Instance, SsoBody } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';

/** The public facts that the sign-in page needs. */
export interface SetupBody {
  readonly administrator_has_password: boolean;
  readonly sso: SsoBody | null;
}

/**
 * `GET setup`: whether an administrator exists, and the link for single sign-on. Nothing else, because this route is
 * public.
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
