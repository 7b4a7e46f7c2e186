import { expect, it } from 'vitest';
import type { ToEngine } from '../../src/execution/engine-messages.ts';
import { createPackageStore, createRequestSender } from '../../src/execution/engine-packages.ts';
import type { ExecutionRequest } from '../../src/execution/request.ts';
import { toRequest } from './process-hosts.ts';

const SIZE = 1000;

/** A request whose packages are as many texts of `SIZE` letters. */
function toScript(letters: string): ExecutionRequest {
  const packages = [...letters].map((letter) => ({
    id: `@Shared/${letter}`,
    name: letter,
    files: [{ name: 'ä.sql', text: letter.repeat(SIZE) }],
    imports: { there: { kind: 'missing', message: 'é' } as const },
  }));
  const work = { kind: 'script', snapshot: { root: '@Shared/a', packages }, file: 'ä.sql' } as const;
  return toRequest('', '/nowhere', { work });
}

/** Both sides, and what went between them. */
function connect(keptBytes?: number) {
  const sent: ToEngine[] = [];
  const received: ExecutionRequest[] = [];
  const store = createPackageStore();
  const send = createRequestSender((message) => {
    sent.push(message);
    if (message.kind === 'package') store.keep(message.hash, message.bytes);
    if (message.kind === 'forget') store.forget(message.hash);
    if (message.kind === 'run') received.push(store.complete(message.request, message.packages));
  }, keptBytes);
  const kinds = () => sent.splice(0).map(({ kind }) => kind);
  return { send, received, kinds };
}

it('sends a package once, and every request whole', () => {
  const { send, received, kinds } = connect();
  send('1', toScript('ab'));
  expect(kinds()).toEqual(['package', 'package', 'run']);
  send('2', toScript('bca'));
  expect(kinds()).toEqual(['package', 'run']);
  send('3', toRequest('select 1', '/nowhere'));
  expect(kinds()).toEqual(['run']);
  expect(received).toEqual([toScript('ab'), toScript('bca'), toRequest('select 1', '/nowhere')]);
  // What is the same is one object, so that it is parsed once, too.
  const [first, second] = received.map(({ work }) => (work.kind === 'script' ? work.snapshot.packages : []));
  expect(second![2]).toBe(first![0]);
});

it('lets go of what has not been used for longest, and never of what is in use', () => {
  const { send, received, kinds } = connect(SIZE * 2.5);
  send('1', toScript('ab'));
  send('2', toScript('a'));
  kinds();
  send('3', toScript('c'));
  expect(kinds()).toEqual(['package', 'run', 'forget']);
  send('4', toScript('ac'));
  expect(kinds()).toEqual(['run']);
  send('5', toScript('abcd'));
  expect(kinds()).toEqual(['package', 'package', 'run', 'forget', 'forget']);
  send('6', toScript('b'));
  expect(received.map(({ work }) => work)).toEqual(
    ['ab', 'a', 'c', 'ac', 'abcd', 'b'].map((letters) => toScript(letters).work),
  );
});
