import { expect, it, onTestFinished } from 'vitest';
import { createThread } from '../../../src/workspace/semantic/thread.ts';

function start(timeoutMs = 30_000) {
  const program = new URL('./thread-program.ts', import.meta.url);
  const thread = createThread<string, string>({ program, timeoutMs, memoryMb: 32 });
  onTestFinished(() => thread.close());
  return thread;
}

const codeOf = (call: Promise<string>) => call.catch((error: { code: string }) => error.code);

it('answers calls in their order, all in one thread', async () => {
  const thread = start();
  expect(await Promise.all(['a', 'b', 'c'].map(thread.call))).toEqual(['a 1', 'b 2', 'c 3']);
  expect(await thread.call('d')).toBe('d 4');
});

it.each([
  ['loop', 'late'],
  ['throw', 'lost'],
  ['exit', 'lost'],
  ['fill', 'lost'],
])('goes on in another one after a call to %s', async (call, code) => {
  const thread = start(call === 'loop' ? 3_000 : 30_000);
  const calls = ['a', call, 'b'].map((each) => codeOf(thread.call(each)));
  expect(await Promise.all(calls)).toEqual(['a 1', code, 'b 1']);
  expect(await thread.call('c')).toBe('c 2');
});

it('does not count the time that a call waits', async () => {
  const thread = start(3_000);
  const calls = ['a', 'wait', 'wait', 'b'].map((each) => codeOf(thread.call(each)));
  expect(await Promise.all(calls)).toEqual(['a 1', 'late', 'late', 'b 1']);
});

it('has a limit of calls that wait', async () => {
  const thread = start();
  const calls = Array.from({ length: 1_003 }, () => codeOf(thread.call('a')));
  const answers = await Promise.all(calls);
  expect(answers.filter((answer) => answer === 'busy')).toHaveLength(2);
  expect(answers.at(-1)).toBe('busy');
  expect(await thread.call('b')).toBe('b 1002');
});

it('rejects what waits when it is closed, and what comes after', async () => {
  const thread = start();
  const calls = ['loop', 'a'].map((each) => codeOf(thread.call(each)));
  await thread.close();
  expect(await Promise.all([...calls, codeOf(thread.call('b'))])).toEqual(['closed', 'closed', 'closed']);
});
