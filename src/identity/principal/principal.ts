import type { TokenScope } from './scopes.ts';

// Every operation gets the acting user as an argument, and decides with it: there is no current user. Levels on
// content and connections are not part of a principal; they come from the grants at the time of the operation.

/** The user on whose behalf an operation runs. */
export interface Principal {
  readonly userId: string;
  readonly userName: string;
  readonly superUser: boolean;
  /** Whether the principal may only view content, and only read on connections: a VIEWER, or a scope below `write`. */
  readonly viewsOnly: boolean;
  /** How the user signed in; left out for the command line on the home itself. */
  readonly origin?: Origin;
}

/** The credentials and the address of a request. */
export interface Origin {
  /** The id of the token; null for a session. */
  readonly tokenId: string | null;
  /** The id of the session; left out for a token. */
  readonly sessionId?: string;
  /** The scope of the token; `all` without one. */
  readonly scope: TokenScope;
  /** The client's address, as far as it can be trusted; null if unknown. */
  readonly address: string | null;
  readonly requestId: string | null;
}
