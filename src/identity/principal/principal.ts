/** Who acts: a user of this home. */
export interface Principal {
  readonly userId: string;
  readonly userName: string;
  readonly superUser: boolean;
  /** Whether the principal may look at content and change none, whatever is granted: a VIEWER, or a read-only token. */
  readonly viewsOnly: boolean;
  /** How the user came here; left out: at the command line of the home itself. */
  readonly origin?: Origin;
}

/** What a request came in by. */
export interface Origin {
  /** The id of the token that was shown; null for a session. */
  readonly tokenId: string | null;
  /** The id of the session; left out for a token. */
  readonly sessionId?: string;
  /** Whether that token changes nothing. */
  readonly readOnly: boolean;
  /** The client's address, as far as it is to be believed; null where there is none. */
  readonly address: string | null;
  readonly requestId: string | null;
}
