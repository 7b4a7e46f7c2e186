import type { Draft, DraftStore, KeptTab, TabList } from '../../../api/editor/drafts.ts';
import { readQueryNumber, toQueryKey } from './tab.ts';

/** What a tab of the browser starts with. */
export interface Restored {
  readonly tabs: readonly KeptTab[];
  readonly active: string | null;
  /** The texts that are not saved, by key. */
  readonly drafts: ReadonlyMap<string, Draft>;
  /** The highest number of a query in this browser. */
  readonly lastQuery: number;
}

interface Owner {
  readonly user: string;
  readonly instance: string;
}

/**
 * Reads what this tab of the browser had before a reload, and takes over what closed tabs have left. A text of a key that
 * is in use already becomes a query, so that no text gets lost.
 */
export async function restore(store: DraftStore, owner: Owner, open: ReadonlySet<string>): Promise<Restored> {
  const { drafts, lists } = await store.read(owner.user);
  const isOwn = ({ instance }: Owner) => instance === owner.instance;
  const isLeft = (owner: Owner) => !isOwn(owner) && !open.has(owner.instance);
  const draftsByKey = new Map(drafts.filter(isOwn).map((draft) => [draft.key, draft]));
  const keys = [...drafts.map(({ key }) => key), ...lists.flatMap(({ tabs }) => tabs.map(({ key }) => key))];
  let lastQuery = Math.max(0, ...keys.map(readQueryNumber));
  const left = drafts.filter(isLeft).toSorted((one, other) => other.updated_at.localeCompare(one.updated_at));
  const titles = new Map<string, string | null>();
  for (const draft of left) {
    const isTaken = draftsByKey.has(draft.key);
    if (isTaken) lastQuery += 1;
    const instanceList = isTaken
      ? { ...draft, ...owner, key: toQueryKey(lastQuery), etag: null }
      : { ...draft, ...owner };
    titles.set(instanceList.key, findTitle(lists, draft));
    await store.putDraft(instanceList);
    await store.removeDraft(draft);
    draftsByKey.set(instanceList.key, instanceList);
  }
  const leftLists = lists.filter(isLeft);
  for (const list of leftLists) await store.removeList(list);
  const instanceList = lists.find(isOwn);
  const known = instanceList === undefined ? leftLists : [instanceList];
  const tabs = joinTabs(known, [...draftsByKey.keys()], titles);
  return { tabs, active: findActive(known), drafts: draftsByKey, lastQuery };
}

/** The name of a query in the list of its tab of the browser. */
function findTitle(lists: readonly TabList[], { instance, key }: Draft): string | null {
  const list = lists.find((candidate) => candidate.instance === instance);
  return list?.tabs.find((tab) => tab.key === key)?.title ?? null;
}

/** The tabs of the lists, and then those of texts without a tab, each once. */
function joinTabs(
  lists: readonly TabList[],
  keys: readonly string[],
  titles: ReadonlyMap<string, string | null>,
): readonly KeptTab[] {
  const tabs = new Map<string, KeptTab>();
  const others = keys.map((key) => ({ key, title: titles.get(key) ?? null, runId: null, ranText: null }));
  for (const tab of [...lists.flatMap((list) => list.tabs), ...others]) {
    if (!tabs.has(tab.key)) tabs.set(tab.key, tab);
  }
  return [...tabs.values()];
}

function findActive(lists: readonly TabList[]): string | null {
  return lists.find(({ active }) => active !== null)?.active ?? null;
}
