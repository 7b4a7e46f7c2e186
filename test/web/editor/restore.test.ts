import { describe, expect, it } from 'vitest';
import type { Draft, DraftStore, TabList } from '../../../web/api/editor/drafts.ts';
import { restore } from '../../../web/components/editor/workspace/restore.ts';

const owner = { user: 'ada', instance: 'own' };

const draft = (instance: string, key: string, text: string): Draft => ({
  ...owner,
  instance,
  key,
  text,
  etag: null,
  updated_at: '2026-11-30T00:00:00Z',
});

const list = (instance: string, titles: Readonly<Record<string, string | null>>): TabList => ({
  ...owner,
  instance,
  tabs: Object.entries(titles).map(([key, title]) => ({ key, title, runId: null, ranText: null })),
  active: null,
});

/** A store in memory. */
function createStored(drafts: readonly Draft[], lists: readonly TabList[]): DraftStore {
  const nothing = async () => undefined;
  return {
    read: async () => ({ drafts: [...drafts], lists: [...lists] }),
    putDraft: nothing,
    removeDraft: nothing,
    putList: nothing,
    removeList: nothing,
    forget: nothing,
  };
}

describe('the tabs after a reload', () => {
  it('have their order and their names, with and without texts', async () => {
    const kept = list('own', { '@Shared/x': null, 'query-3': 'mine', 'query-1': null });
    const store = createStored([draft('own', 'query-1', 'a'), draft('own', '@Shared/x', 'b')], [kept]);
    const { tabs, lastQuery } = await restore(store, owner, new Set(['own']));
    expect(tabs).toEqual(kept.tabs);
    expect(lastQuery).toBe(3);
  });

  it('take over the texts of a closed tab of the browser with their names', async () => {
    const store = createStored(
      [draft('own', 'query-1', 'a'), draft('other', 'query-1', 'b'), draft('open', 'query-2', 'c')],
      [
        list('own', { 'query-1': null }),
        list('other', { 'query-1': 'mine' }),
        list('open', { 'query-2': null }),
      ],
    );
    const { tabs, drafts } = await restore(store, owner, new Set(['own', 'open']));
    expect(tabs.map(({ key, title }) => [key, title])).toEqual([
      ['query-1', null],
      ['query-3', 'mine'],
    ]);
    expect([...drafts.values()].map(({ key, text }) => [key, text])).toEqual([
      ['query-1', 'a'],
      ['query-3', 'b'],
    ]);
  });

  it('read a list of an earlier version, which has no names', async () => {
    const tabs = [{ key: 'query-1', runId: null, ranText: null }];
    const store = createStored([], [{ ...owner, tabs, active: 'query-1' }]);
    expect(await restore(store, owner, new Set())).toMatchObject({ tabs, active: 'query-1' });
  });
});
