import type { Page } from 'playwright-core';

/** Who can sign in at an identity provider of the tests; `email` becomes the NameID. */
export interface ProviderUser {
  readonly email: string;
  /** A second address; Keycloak's users have none. */
  readonly otherEmail?: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
}

/** A real identity provider that speaks SAML, at `127.0.0.1`, as people, administrators and browsers see it. */
export interface ProviderServer {
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** Where it answers its metadata. */
  readonly metadataUrl: string;
  readMetadata(): Promise<string>;
  /** Makes it know a service provider, or what has changed of it, by its metadata. */
  register(metadata: string): Promise<void>;
  /** Adds or changes a user. */
  setUser(name: string, user: ProviderUser): Promise<void>;
  /** Signs in at its page. */
  signIn(page: Page, name: string): Promise<void>;
  /** Waits until its page asks for a password. */
  waitForForm(page: Page): Promise<void>;
  /** Begins to sign out at the provider itself, in a browser that is signed in there. */
  signOut(page: Page): Promise<void>;
  /** Puts a key that it will sign with into its metadata, beside the one that it signs with. */
  announceKey(): Promise<void>;
  /** Signs with another key from now on, the announced one if there is one; the one before is gone. */
  switchKey(): Promise<void>;
  /** What it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}
