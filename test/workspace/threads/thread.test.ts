import { describe, expect, it, onTestFinished } from 'vitest';
import { createThread } from '../../../src/workspace/threads/thread.ts';
import { eventually } from '../../support/waiting.ts';

function start(timeoutMs = 30_000, more: { readonly idleMs?: number; readonly runsIn?: 'process' } = {}) {
  const program = new URL('./thread-program.ts', import.meta.url);
  const thread = createThread<string, string>({
    program,
    runsIn: 'thread',
    timeoutMs,
    memoryMb: 32,
    ...more,
  });
  onTestFinished(() => thread.close());
  return thread;
}

const codeOf = (call: Promise<string>) => call.catch((error: { code: string }) => error.code);

it('answers calls in order, all in one thread', async () => {
  const thread = start();
  expect(await Promise.all(['a', 'b', 'c'].map((each) => thread.call(each, 'ada')))).toEqual([
    'a 1',
    'b 2',
    'c 3',
  ]);
  expect(await thread.call('d', 'ada')).toBe('d 4');
});

it.each([
  ['loop', 'late'],
  ['throw', 'lost'],
  ['exit', 'lost'],
  ['fill', 'lost'],
])('continues in a new thread after a call to %s', async (call, code) => {
  const thread = start(call === 'loop' ? 3_000 : 30_000);
  const calls = ['a', call, 'b'].map((each) => codeOf(thread.call(each, 'ada')));
  expect(await Promise.all(calls)).toEqual(['a 1', code, 'b 1']);
  expect(await thread.call('c', 'ada')).toBe('c 2');
});

it('does not count the waiting time of a call', async () => {
  const thread = start(3_000);
  const calls = ['a', 'wait', 'wait', 'b'].map((each) => codeOf(thread.call(each, 'ada')));
  expect(await Promise.all(calls)).toEqual(['a 1', 'late', 'late', 'b 1']);
});

it('takes turns between callers, and answers each caller in order', async () => {
  const thread = start();
  const order: string[] = [];
  const call = (message: string, caller: string) =>
    thread.call(message, caller).then((answer) => order.push(answer));
  await Promise.all([
    ...['a', 'b', 'c', 'd'].map((each) => call(each, 'ada')),
    ...['x', 'y'].map((each) => call(each, 'bob')),
  ]);
  // The first call did not have to wait.
  expect(order).toEqual(['a 1', 'b 2', 'x 3', 'c 4', 'y 5', 'd 6']);
});

it('rejects waiting calls when it is closed, and all later calls', async () => {
  const thread = start();
  const calls = ['loop', 'a'].map((each) => codeOf(thread.call(each, 'ada')));
  await thread.close();
  expect(await Promise.all([...calls, codeOf(thread.call('b', 'ada'))])).toEqual([
    'closed',
    'closed',
    'closed',
  ]);
});

it('ends after a while without calls, and starts again at the next call', async () => {
  const thread = start(30_000, { idleMs: 1 });
  expect(await thread.call('a', 'ada')).toBe('a 1');
  await eventually(async () => expect(await thread.call('b', 'ada')).toBe('b 1'));
});

it('skips a call that is withdrawn before its turn, and ignores the result of one withdrawn later', async () => {
  const thread = start();
  const [late, early] = [new AbortController(), new AbortController()];
  const calls = [
    codeOf(thread.call('a', 'ada', { signal: late.signal })),
    codeOf(thread.call('b', 'ada', { signal: early.signal })),
    codeOf(thread.call('c', 'ada', { signal: AbortSignal.abort() })),
  ];
  expect(thread.load).toBe(2);
  early.abort();
  late.abort();
  expect(await Promise.all(calls)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(await thread.call('d', 'ada')).toBe('d 2');
  expect(thread.load).toBe(0);
});

describe('a process', () => {
  it('answers calls in order', async () => {
    const thread = start(30_000, { runsIn: 'process' });
    expect(await Promise.all(['a', 'b'].map((call) => thread.call(call, 'ada')))).toEqual(['a 1', 'b 2']);
  });

  // One array that grows beyond the limit in a thread ends the process of its caller.
  it.each([
    ['loop', 'late'],
    ['throw', 'lost'],
    ['exit', 'lost'],
    ['fill', 'lost'],
    ['grow', 'lost'],
  ])('is replaced after a call to %s', async (call, code) => {
    const thread = start(call === 'loop' ? 5_000 : 60_000, { runsIn: 'process' });
    const calls = ['a', call, 'b'].map((message) => codeOf(thread.call(message, 'ada')));
    expect(await Promise.all(calls)).toEqual(['a 1', code, 'b 1']);
  });

  it('rejects its calls when it is closed', async () => {
    const thread = start(30_000, { runsIn: 'process' });
    const call = codeOf(thread.call('loop', 'ada'));
    await thread.close();
    expect(await call).toBe('closed');
  });
});
