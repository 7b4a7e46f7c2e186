import type { BrowserMessage, Sender } from '../../identity/saml/protocol/create-request.ts';
import type {
  ResponseExpectations,
  SamlSession,
  VerifiedResponse,
} from '../../identity/saml/protocol/expectations.ts';
import type { LogoutExpectations, VerifiedLogout } from '../../identity/saml/protocol/verify-logout.ts';

// What the thread of SAML is asked, and answers: plain data.

/** What the thread is to do. */
export type SamlCall =
  | { readonly kind: 'verify-response'; readonly posted: string; readonly expected: ResponseExpectations }
  | { readonly kind: 'verify-logout'; readonly query: string; readonly expected: LogoutExpectations }
  | { readonly kind: 'create-login'; readonly sender: Sender; readonly callbackUrl: string }
  | { readonly kind: 'create-logout'; readonly sender: Sender; readonly session: SamlSession };

/** What a kind of call is answered with. */
interface SamlValues {
  readonly 'verify-response': VerifiedResponse;
  readonly 'verify-logout': VerifiedLogout;
  readonly 'create-login': BrowserMessage;
  readonly 'create-logout': BrowserMessage;
}

/** The value that a call asks for. */
export type SamlValue<Kind extends SamlCall['kind']> = SamlValues[Kind];

/** What the thread answers: a value, which check refused, or what went wrong within the thread. */
export type SamlAnswer =
  | { readonly value: SamlValues[SamlCall['kind']] }
  | { readonly refusal: { readonly check: string; readonly detail: string } }
  | { readonly error: string };
