/** The user that a verified message of an identity provider names. */
export interface AssertedUser {
  /** Null if it has no NameID. */
  readonly nameId: string | null;
  readonly email: string | null;
}
