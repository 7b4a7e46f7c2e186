import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Draft, DraftStore } from '../../../web/api/editor/drafts.ts';
import { Keeper } from '../../../web/components/editor/workspace/keeper.ts';

/** A store that records what is written. */
function createRecorder(): { readonly store: DraftStore; readonly written: string[] } {
  const written: string[] = [];
  const record = async ({ key, text }: Pick<Draft, 'key'> & { readonly text?: string }) => {
    written.push(text === undefined ? `-${key}` : `${key} ${text.at(-1)}`);
  };
  const nothing = async () => undefined;
  const store = {
    read: async () => ({ drafts: [], lists: [] }),
    putDraft: record,
    removeDraft: record,
    putList: nothing,
    removeList: nothing,
    forget: nothing,
  };
  return { store, written };
}

const short = (end: string) => ({ length: 1, etag: null, read: () => end });
const long = (end: string) => ({ length: 100_001, etag: null, read: () => 'x'.repeat(100_000) + end });

describe('what the browser keeps of texts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('window', new EventTarget());
    vi.stubGlobal('document', new EventTarget());
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const open = () => {
    const { store, written } = createRecorder();
    return { keeper: new Keeper(store, { user: 'ada', instance: '1' }), written };
  };

  it('is a short text after a quarter of a second, and a long one at most every two seconds', () => {
    const { keeper, written } = open();
    keeper.keep('a', short('1'));
    keeper.keep('b', long('1'));
    vi.advanceTimersByTime(249);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['a 1']);
    for (let at = 2; at <= 6; at += 1) {
      keeper.keep('b', long(String(at)));
      vi.advanceTimersByTime(400);
    }
    expect(written).toEqual(['a 1', 'b 6']);
    keeper.keep('b', long('7'));
    vi.advanceTimersByTime(1_999);
    expect(written).toEqual(['a 1', 'b 6']);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['a 1', 'b 6', 'b 7']);
  });

  it('is everything as soon as the page hides, once', () => {
    const { keeper, written } = open();
    keeper.keep('a', short('1'));
    keeper.keep('b', long('1'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(written).toEqual(['a 1', 'b 1']);
    keeper.keep('b', null);
    window.dispatchEvent(new Event('pagehide'));
    expect(written).toEqual(['a 1', 'b 1', '-b']);
    vi.advanceTimersByTime(10_000);
    expect(written).toEqual(['a 1', 'b 1', '-b']);
  });

  it('is nothing after the user forgets the texts', () => {
    const { keeper, written } = open();
    keeper.keep('a', short('1'));
    keeper.stop();
    vi.advanceTimersByTime(10_000);
    window.dispatchEvent(new Event('pagehide'));
    expect(written).toEqual([]);
  });
});
