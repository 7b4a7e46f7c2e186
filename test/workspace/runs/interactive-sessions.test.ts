import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Lasting, NOTHING_LEFT } from '../../../src/execution/contract/lasting.ts';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import { createInteractiveSessions } from '../../../src/workspace/runs/interactive-sessions.ts';

const MINUTE = 60_000;
const never = new AbortController().signal;
const principalOf = (userId: string): Principal => ({
  userId,
  userName: userId,
  superUser: false,
  viewsOnly: false,
});
const [ADA, BOB] = [principalOf('ada'), principalOf('bob')];
const lastingOf = (id: string): Lasting => ({ id, expects: NOTHING_LEFT });
const readId = async (lasting: Lasting | undefined) => lasting?.id;

function makeSessions() {
  const ended: string[] = [];
  const sessions = createInteractiveSessions(async (id) => void ended.push(id));
  return { ended, ...sessions };
}

describe('the sessions that a server keeps', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('end an hour after their last statement', async () => {
    const { ended, keep, use } = makeSessions();
    const kept = keep(ADA, 's1', () => {}, never);
    await vi.advanceTimersByTimeAsync(59 * MINUTE);
    const statement = Promise.withResolvers<void>();
    const used = use(ADA, lastingOf('s1'), () => statement.promise);
    await vi.advanceTimersByTimeAsync(120 * MINUTE);
    statement.resolve();
    await used;
    await vi.advanceTimersByTimeAsync(59 * MINUTE);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(await kept).toBe(true);
    expect(ended).toEqual(['s1']);
  });

  it('end when their client leaves', async () => {
    const { ended, keep } = makeSessions();
    const client = new AbortController();
    const kept = keep(ADA, 's1', () => {}, client.signal);
    client.abort();
    expect(await kept).toBe(true);
    expect(ended).toEqual(['s1']);
  });

  it('are at most four, until one ends', async () => {
    const { keep } = makeSessions();
    const client = new AbortController();
    const first = keep(ADA, 's1', () => {}, client.signal);
    for (const id of ['s2', 's3', 's4']) void keep(BOB, id, () => {}, never);
    const onKept = vi.fn();
    expect(await keep(ADA, 's5', onKept, never)).toBe(false);
    expect(onKept).not.toHaveBeenCalled();
    client.abort();
    await first;
    void keep(ADA, 's5', onKept, never);
    expect(onKept).toHaveBeenCalledOnce();
  });

  it('run statements of their owner only', async () => {
    const { keep, use } = makeSessions();
    void keep(ADA, 's1', () => {}, never);
    expect(await use(ADA, lastingOf('s1'), readId)).toBe('s1');
    expect(await use(BOB, lastingOf('s1'), readId)).toBeNull();
    expect(await use(ADA, lastingOf('unknown'), readId)).toBeNull();
    expect(await use(ADA, undefined, readId)).toBeUndefined();
    expect(await keep(BOB, 's1', () => {}, never)).toBe(false);
  });
});
