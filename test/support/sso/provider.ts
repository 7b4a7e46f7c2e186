import type { Page } from 'playwright-core';

/** A user who can sign in at an identity provider of the tests; `email` becomes the NameID. */
export interface ProviderUser {
  readonly email: string;
  /** A second address; the users of Keycloak do not have one. */
  readonly otherEmail?: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
}

/** A real identity provider that speaks SAML, at `127.0.0.1`, for users, administrators and browsers. */
export interface ProviderServer {
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** The address of its metadata. */
  readonly metadataUrl: string;
  readMetadata(): Promise<string>;
  /** Registers or updates a service provider from its metadata. */
  register(metadata: string): Promise<void>;
  /** Adds or changes a user. */
  setUser(name: string, user: ProviderUser): Promise<void>;
  /** Signs in at its page. */
  signIn(page: Page, name: string): Promise<void>;
  /** Waits until its page asks for a password. */
  waitForForm(page: Page): Promise<void>;
  /** Starts a sign-out at the provider itself, in a browser that is signed in there. */
  signOut(page: Page): Promise<void>;
  /** Adds a future signing key to its metadata, next to the current one. */
  announceKey(): Promise<void>;
  /** Changes the signing key, to the announced one if there is one; the previous key is removed. */
  switchKey(): Promise<void>;
  /** The log so far. */
  log(): string;
  stop(): Promise<void>;
}
