/** The values that a response must match: this instance, its identity provider, and the time. */
export interface ResponseExpectations {
  /** The assertion consumer service of this instance. */
  readonly callbackUrl: string;
  /** The entity ID of this instance. */
  readonly entityId: string;
  readonly identityProvider: {
    readonly entityId: string;
    /** Signing certificates: base64 of DER. */
    readonly certificates: readonly string[];
  };
  /** The names of the mapped attributes (docs/reference/saml.md#attributes). */
  readonly attributes: {
    readonly userName: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly groups: string;
  };
  /** The allowed difference between the clocks, in milliseconds. */
  readonly skewMs: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The content of the verified bytes of a response. Times are milliseconds since 1970. */
export interface VerifiedResponse {
  readonly issuer: string;
  readonly assertionId: string;
  /** The ID of the request that it answers. */
  readonly inResponseTo: string;
  /** The time until which the assertion could be replayed. */
  readonly expiresAt: number;
  readonly email: string;
  /** The user's session, as needed for a request to sign out. */
  readonly session: SamlSession;
  readonly userName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly groups: readonly string[];
  /** All received attributes, in the order of the assertion. */
  readonly attributes: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** The end of the session at the identity provider; null if unspecified. */
  readonly sessionEndsAt: number | null;
}

/** A session at the identity provider. */
export interface SamlSession {
  readonly nameId: string;
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
  readonly sessionIndex: string | null;
}
