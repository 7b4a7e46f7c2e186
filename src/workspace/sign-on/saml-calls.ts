import type { SamlError } from '../../identity/saml/protocol/checks.ts';
import type { BrowserMessage, Sender } from '../../identity/saml/protocol/create-request.ts';
import type {
  ResponseExpectations,
  SamlSession,
  VerifiedResponse,
} from '../../identity/saml/protocol/expectations.ts';
import type { LogoutExpectations, VerifiedLogout } from '../../identity/saml/protocol/verify-logout.ts';

// The calls of the SAML thread and its answers, as plain data.

/** A call of the thread. */
export type SamlCall =
  | { readonly kind: 'verify-response'; readonly posted: string; readonly expected: ResponseExpectations }
  | { readonly kind: 'verify-logout'; readonly query: string; readonly expected: LogoutExpectations }
  | { readonly kind: 'create-login'; readonly sender: Sender; readonly callbackUrl: string }
  | { readonly kind: 'create-logout'; readonly sender: Sender; readonly session: SamlSession };

/** The value that answers each kind of call. */
interface SamlValues {
  readonly 'verify-response': VerifiedResponse;
  readonly 'verify-logout': VerifiedLogout;
  readonly 'create-login': BrowserMessage;
  readonly 'create-logout': BrowserMessage;
}

/** The value of one kind of call. */
export type SamlValue<Kind extends SamlCall['kind']> = SamlValues[Kind];

/** The thread's answer: a value, the check that refused the message, or an internal error. */
export type SamlAnswer =
  | { readonly value: SamlValues[SamlCall['kind']] }
  | { readonly failedCheck: Pick<SamlError, 'check' | 'detail' | 'user'> }
  | { readonly error: string };
