import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';

/** The public facts that the sign-in page needs. */
export interface SetupBody {
  /** Whether any administrator can sign in with a password. */
  readonly administrator_has_password: boolean;
  /** Null where single sign-on is not configured. */
  readonly sso: {
    /** The provider's name, as in "Sign in with NAME". */
    readonly name: string;
    /** A path of this server. */
    readonly url: string;
    /** Whether only administrators may sign in with a password. */
    readonly only: boolean;
  } | null;
}

/**
 * `GET setup`: whether an administrator exists, and the link for single sign-on. Nothing else, because this route is
 * public.
 */
export function addGetSetup(app: App, { accounts }: Instance): void {
  app.get('/setup', (): SetupBody => {
    const settings = accounts.saml.findSettings();
    return {
      administrator_has_password: accounts.users.administratorHasPassword(),
      sso: settings && { name: settings.name, url: '/api/auth/login/saml2', only: settings.ssoOnly },
    };
  });
}
