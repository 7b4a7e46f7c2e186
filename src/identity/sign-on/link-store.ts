import type { Database } from '../../store/database.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import type { ProvenIdentity } from './proven-identity.ts';

type Provider = ProvenIdentity['provider'];

/** The subject of an issuer. */
export type Identity = Pick<ProvenIdentity, 'provider' | 'issuer' | 'subject'>;

/** The links of a user, or those to an issuer. */
type LinkOwner = { readonly userId: string } | { readonly issuer: string };

/** The identity that started a session. */
export interface SessionOrigin extends Identity {
  /** JSON. */
  readonly detail: string;
}

/**
 * The rows of linked identities, refused sign-ins and session origins: the only place with their SQL. Callers hold
 * the transaction.
 */
export interface LinkStore {
  /** The id of the user that an identity is linked to. */
  findUserId(identity: Identity): string | undefined;
  /** An identity that a user is linked to, as `provider: subject`; undefined without any. */
  findSubjectOf(userId: string): string | undefined;
  insert(identity: Identity, userId: string, at: string): void;
  /** Deletes the links of a user, or those to an issuer, of one provider; returns how many. */
  deleteLinks(provider: Provider, of: LinkOwner): number;
  /** Remembers that a sign-in with this e-mail address was refused. */
  remember(provider: Provider, email: string, at: string): void;
  /** Whether a sign-in with this e-mail address was refused. */
  isRemembered(provider: Provider, email: string): boolean;
  forget(provider: Provider, email: string): void;
  insertOrigin(sessionId: string, origin: SessionOrigin): void;
  findOrigin(sessionId: string): SessionOrigin | undefined;
}

const REMEMBER = `
  INSERT INTO refused_sign_ins (provider, email_key, refused_at) VALUES (?, ?, ?)
  ON CONFLICT (provider, email_key) DO UPDATE SET refused_at = excluded.refused_at
`;

/** The links in an open database. */
export function createLinkStore({ statement }: Database): LinkStore {
  return {
    findUserId: ({ provider, issuer, subject }) =>
      statement<{ user_id: string }>(
        'SELECT user_id FROM linked_identities WHERE provider = ? AND issuer = ? AND subject_key = ?',
      ).get(provider, issuer, foldCase(subject))?.user_id,
    findSubjectOf: (userId) =>
      statement<{ name: string }>(
        "SELECT provider || ': ' || subject AS name FROM linked_identities WHERE user_id = ? ORDER BY created_at LIMIT 1",
      ).get(userId)?.name,
    insert: ({ provider, issuer, subject }, userId, at) => {
      const sql = `
        INSERT INTO linked_identities (provider, issuer, subject_key, subject, user_id, created_at)
        VALUES (?, ?, ?, ?, ?, ?)
      `;
      statement(sql).run(provider, issuer, foldCase(subject), subject, userId, at);
    },
    deleteLinks: (provider, of) =>
      'userId' in of
        ? statement('DELETE FROM linked_identities WHERE provider = ? AND user_id = ?').run(
            provider,
            of.userId,
          )
        : statement('DELETE FROM linked_identities WHERE provider = ? AND issuer = ?').run(
            provider,
            of.issuer,
          ),
    remember: (provider, email, at) => {
      statement(REMEMBER).run(provider, foldCase(email), at);
    },
    isRemembered: (provider, email) =>
      statement('SELECT 1 FROM refused_sign_ins WHERE provider = ? AND email_key = ?').get(
        provider,
        foldCase(email),
      ) !== undefined,
    forget: (provider, email) => {
      statement('DELETE FROM refused_sign_ins WHERE provider = ? AND email_key = ?').run(
        provider,
        foldCase(email),
      );
    },
    insertOrigin: (sessionId, { provider, issuer, subject, detail }) => {
      const sql =
        'INSERT INTO session_origins (session_id, provider, issuer, subject, detail) VALUES (?, ?, ?, ?, ?)';
      statement(sql).run(sessionId, provider, issuer, subject, detail);
    },
    findOrigin: (sessionId) =>
      statement<SessionOrigin>(
        'SELECT provider, issuer, subject, detail FROM session_origins WHERE session_id = ?',
      ).get(sessionId),
  };
}
