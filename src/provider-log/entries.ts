import type { AssertedUser } from '../identity/asserted-user.ts';

/** How a request of provisioning ended: `refused` without a valid token, else `failed` with an error. */
export const SCIM_OUTCOMES = ['done', 'failed', 'refused'] as const;

export type ScimOutcome = (typeof SCIM_OUTCOMES)[number];

/** A request of provisioning that was answered. */
export interface ScimRequest {
  /** Null without a valid token. */
  readonly token: { readonly id: string; readonly name: string | null } | null;
  readonly address: string;
  readonly method: string;
  /** Path and query below the address of SCIM, as received. */
  readonly target: string;
  readonly status: number;
  readonly scimType: string | null;
  /** Detail of the error. */
  readonly detail: string | null;
  readonly durationMs: number;
  readonly requestId: string;
  /** The parsed body; undefined without one, and for one that is not JSON. */
  readonly body: unknown;
}

/** A sign-in that was refused. */
export interface SsoFailure {
  readonly provider: 'saml';
  /** Id of the request. */
  readonly requestId: string;
  readonly check: string;
  /** What the check expected and found; contains no assertion. */
  readonly detail: string;
  readonly address: string;
  /** Null before the signature was verified. */
  readonly user: AssertedUser | null;
}
