/** What a response has to fit: this instance, its identity provider, and the time. */
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
  /** Names of attributes (interface 5.2). */
  readonly attributes: {
    readonly userName: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly groups: string;
  };
  /** How far the clocks may be apart, in milliseconds. */
  readonly skewMs: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What the verified bytes of a response say. Times are milliseconds since 1970. */
export interface VerifiedResponse {
  readonly issuer: string;
  readonly assertionId: string;
  /** The ID of the request that this answers. */
  readonly inResponseTo: string;
  /** Until when the assertion could be shown again. */
  readonly expiresAt: number;
  readonly email: string;
  /** What a request to sign out has to say of the user. */
  readonly session: SamlSession;
  readonly userName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly groups: readonly string[];
  /** Everything that was sent, in the order of the assertion. */
  readonly attributes: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** The end of the session at the identity provider; null where it names none. */
  readonly sessionEndsAt: number | null;
}

/** A session as the identity provider knows it. */
export interface SamlSession {
  readonly nameId: string;
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
  readonly sessionIndex: string | null;
}
