import type { KeptTab } from './drafts.ts';
import { openDatabase, rangeOf, settle, write } from './indexed-db.ts';

/** A closed text, as the browser keeps it. */
export interface ClosedText extends KeptTab {
  readonly user: string;
  readonly id: string;
  /** Null for a script without changes. */
  readonly text: string | null;
  /** The ETag of the revision that the text is based on; null for a query. */
  readonly etag: string | null;
  /** ISO 8601, UTC. */
  readonly closed_at: string;
}

/** The closed texts of users that this browser keeps (IndexedDB). Each function rejects if the browser refuses. */
export interface ClosedTextStore {
  readonly read: (user: string) => Promise<readonly ClosedText[]>;
  readonly put: (text: ClosedText) => Promise<void>;
  readonly remove: (text: Pick<ClosedText, 'user' | 'id'>) => Promise<void>;
  readonly forget: (user: string) => Promise<void>;
}

const TEXTS = 'texts';

/** Opens the store. Rejects if the browser does not support it. */
export async function openClosedTexts(): Promise<ClosedTextStore> {
  const database = await openDatabase('quern-editor-closed', (created) => {
    created.createObjectStore(TEXTS, { keyPath: ['user', 'id'] });
  });
  const change = (act: (store: IDBObjectStore) => void) => write(database, TEXTS, act);
  return {
    read: (user) => settle(database.transaction(TEXTS).objectStore(TEXTS).getAll(rangeOf(user))),
    put: (text) => change((store) => store.put(text)),
    remove: ({ user, id }) => change((store) => store.delete([user, id])),
    forget: (user) => change((store) => store.delete(rangeOf(user))),
  };
}
