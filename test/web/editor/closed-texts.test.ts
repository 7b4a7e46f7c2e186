import { describe, expect, it } from 'vitest';
import type { ClosedText, ClosedTextStore } from '../../../web/api/editor/closed-texts.ts';
import { ClosedTexts } from '../../../web/components/editor/workspace/closed-texts.ts';

const describeText = (key: string, text: string | null) =>
  ({ key, title: null, runId: null, ranText: null, text, etag: null }) as const;

/** A store in memory, as the browser has it. */
function createStored(): { readonly store: ClosedTextStore; readonly stored: Map<string, ClosedText> } {
  const stored = new Map<string, ClosedText>();
  const store: ClosedTextStore = {
    read: async () => [...stored.values()],
    put: async (text) => void stored.set(text.id, text),
    remove: async ({ id }) => void stored.delete(id),
    forget: async () => stored.clear(),
  };
  return { store, stored };
}

const keysOf = ({ list }: ClosedTexts) => list.get().map(({ key }) => key);

describe('the closed texts', () => {
  it('are the last ten, and the browser keeps no others', () => {
    const { store, stored } = createStored();
    const closed = new ClosedTexts('ada', store, []);
    for (let at = 1; at <= 12; at += 1) closed.add(describeText(`query-${at}`, `SELECT ${at}`));
    expect(keysOf(closed)[0]).toBe('query-12');
    expect(keysOf(closed).at(-1)).toBe('query-3');
    expect([...stored.values()].map(({ key }) => key).toSorted()).toEqual(keysOf(closed).toSorted());
    const reopened = new ClosedTexts('ada', store, [...stored.values()]);
    expect(keysOf(reopened).toSorted()).toEqual(keysOf(closed).toSorted());
  });

  it('are taken out once, the last one first', () => {
    const { store, stored } = createStored();
    const closed = new ClosedTexts('ada', store, []);
    closed.add(describeText('query-1', 'a'));
    closed.add(describeText('@Shared/x', null));
    closed.add(describeText('query-2', 'b'));
    const [, second] = closed.list.get();
    expect(closed.take(second!.id)?.key).toBe('@Shared/x');
    expect(closed.take(second!.id)).toBe(null);
    expect(closed.take(undefined)?.key).toBe('query-2');
    expect(closed.take(undefined)?.text).toBe('a');
    expect(closed.take(undefined)).toBe(null);
    expect(stored.size).toBe(0);
  });

  it('have the same text once', () => {
    const closed = new ClosedTexts('ada', null, []);
    for (const text of ['a', 'b', 'a']) closed.add(describeText('@Shared/x', text));
    expect(closed.list.get().map(({ text }) => text)).toEqual(['a', 'b']);
  });

  it('have a maximum length, except for the last one', () => {
    const { store, stored } = createStored();
    const closed = new ClosedTexts('ada', store, []);
    const long = 'x'.repeat(20_000_000);
    closed.add(describeText('query-1', long));
    closed.add(describeText('query-2', 'short'));
    expect(keysOf(closed)).toEqual(['query-2', 'query-1']);
    closed.add(describeText('query-3', `${long}${long}`));
    expect(keysOf(closed)).toEqual(['query-3']);
    expect(stored.size).toBe(1);
  });

  it('can be reopened while the browser refuses to keep them', () => {
    const refuse = () => Promise.reject(new Error('no room'));
    const store = { read: refuse, put: refuse, remove: refuse, forget: refuse };
    const closed = new ClosedTexts('ada', store, []);
    closed.add(describeText('query-1', 'a'));
    expect(closed.take(undefined)?.text).toBe('a');
  });
});
