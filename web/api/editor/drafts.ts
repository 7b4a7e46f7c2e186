import { openDatabase, rangeOf, settle, write } from './indexed-db.ts';

/** A text that is not saved in the catalog. */
export interface Draft {
  readonly user: string;
  /** The tab of the browser that writes it. */
  readonly instance: string;
  /** The catalog path of a script, or the name of a query. */
  readonly key: string;
  readonly text: string;
  /** The ETag of the revision that the text is based on; null for a query. */
  readonly etag: string | null;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

/** An open tab of the editor, as the browser keeps it. */
export interface KeptTab {
  readonly key: string;
  /** The name that the user gave a query; null without one, and missing in lists of earlier versions. */
  readonly title?: string | null;
  /** The last execution; null before the first one. */
  readonly runId: string | null;
  /** The fingerprint of the text that it ran; null if that is not known. */
  readonly ranText: string | null;
}

/** The open tabs of the editor in a tab of the browser. */
export interface TabList {
  readonly user: string;
  readonly instance: string;
  readonly tabs: readonly KeptTab[];
  /** The key of the tab that was shown last. */
  readonly active: string | null;
}

/** What the browser keeps of a user. */
interface Kept {
  readonly drafts: readonly Draft[];
  readonly lists: readonly TabList[];
}

/** The texts and tabs that this browser keeps (IndexedDB). Each function rejects if the browser refuses. */
export interface DraftStore {
  readonly read: (user: string) => Promise<Kept>;
  readonly putDraft: (draft: Draft) => Promise<void>;
  readonly removeDraft: (draft: Pick<Draft, 'user' | 'instance' | 'key'>) => Promise<void>;
  readonly putList: (list: TabList) => Promise<void>;
  readonly removeList: (list: Pick<TabList, 'user' | 'instance'>) => Promise<void>;
  readonly forget: (user: string) => Promise<void>;
}

const DRAFTS = 'drafts';
const LISTS = 'lists';

/** Opens the store. Rejects if the browser does not support it. */
export async function openDrafts(): Promise<DraftStore> {
  const database = await openDatabase('quern-editor', (created) => {
    created.createObjectStore(DRAFTS, { keyPath: ['user', 'instance', 'key'] });
    created.createObjectStore(LISTS, { keyPath: ['user', 'instance'] });
  });
  const change = (store: string, act: (store: IDBObjectStore) => void) => write(database, store, act);
  return {
    read: async (user) => {
      const range = rangeOf(user);
      const transaction = database.transaction([DRAFTS, LISTS]);
      const drafts: IDBRequest<Draft[]> = transaction.objectStore(DRAFTS).getAll(range);
      const lists: IDBRequest<TabList[]> = transaction.objectStore(LISTS).getAll(range);
      return { drafts: await settle(drafts), lists: await settle(lists) };
    },
    putDraft: (draft) => change(DRAFTS, (store) => store.put(draft)),
    removeDraft: ({ user, instance, key }) => change(DRAFTS, (store) => store.delete([user, instance, key])),
    putList: (list) => change(LISTS, (store) => store.put(list)),
    removeList: ({ user, instance }) => change(LISTS, (store) => store.delete([user, instance])),
    forget: async (user) => {
      for (const name of [DRAFTS, LISTS]) await change(name, (store) => store.delete(rangeOf(user)));
    },
  };
}
