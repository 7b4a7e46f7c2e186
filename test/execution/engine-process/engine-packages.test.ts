import { expect, it } from 'vitest';
import type { ExecutionRequest } from '../../../src/execution/contract/request.ts';
import type { ToEngine } from '../../../src/execution/engine-process/engine-messages.ts';
import {
  createPackageStore,
  createRequestSender,
} from '../../../src/execution/engine-process/engine-packages.ts';
import { toRequest } from '../hosts.ts';

const SIZE = 1000;

/** A request with one package for each letter; each package has a text of `SIZE` letters. */
function toScript(letters: string): ExecutionRequest {
  const packages = [...letters].map((letter) => ({
    id: `@Shared/${letter}`,
    name: letter,
    files: [{ name: 'ä.sql', text: letter.repeat(SIZE) }],
    unreadable: [],
    imports: { there: { kind: 'missing', message: 'é' } as const },
  }));
  const work = {
    kind: 'script',
    snapshot: { needs: [{ id: '@Shared/a' }], packages },
    file: 'ä.sql',
  } as const;
  return toRequest('', '/nowhere', { work });
}

/** Both sides, and the messages between them. */
function connect(keptBytes?: number) {
  const sent: ToEngine[] = [];
  const received: ExecutionRequest[] = [];
  const store = createPackageStore();
  const deliver = createRequestSender((message, _handle, onLeft) => {
    sent.push(message);
    if (message.kind === 'package') store.keep(message);
    if (message.kind === 'forget') store.forget(message.hash);
    if (message.kind === 'run') received.push(store.complete(message.request, message.packages));
    onLeft?.();
  }, keptBytes);
  const send = (key: string, request: ExecutionRequest, isWanted = () => true) =>
    deliver({
      key,
      request,
      get state() {
        return isWanted() ? 'sending' : 'unwanted';
      },
      set state(_) {},
    });
  const kinds = () => sent.splice(0).map(({ kind }) => kind);
  return { send, sent, received, kinds };
}

it('sends a package once, and each request completely', async () => {
  const { send, received, kinds } = connect();
  await send('1', toScript('ab'));
  expect(kinds()).toEqual(['package', 'package', 'run']);
  await send('2', toScript('bca'));
  expect(kinds()).toEqual(['package', 'run']);
  await send('3', toRequest('select 1', '/nowhere'));
  expect(kinds()).toEqual(['run']);
  expect(received).toEqual([toScript('ab'), toScript('bca'), toRequest('select 1', '/nowhere')]);
  // Equal packages are one object, so that each is parsed once.
  const [first, second] = received.map(({ work }) => (work.kind === 'script' ? work.snapshot.packages : []));
  expect(second![2]).toBe(first![0]);
});

it('forgets the packages that were not used for the longest time, and none that is in use', async () => {
  const { send, received, kinds } = connect(SIZE * 2.5);
  await send('1', toScript('ab'));
  await send('2', toScript('a'));
  kinds();
  await send('3', toScript('c'));
  expect(kinds()).toEqual(['package', 'run', 'forget']);
  await send('4', toScript('ac'));
  expect(kinds()).toEqual(['run']);
  await send('5', toScript('abcd'));
  expect(kinds()).toEqual(['package', 'package', 'run', 'forget', 'forget']);
  await send('6', toScript('b'));
  expect(received.map(({ work }) => work)).toEqual(
    ['ab', 'a', 'c', 'ac', 'abcd', 'b'].map((letters) => toScript(letters).work),
  );
});

/** A request of one package whose text has the given number of letters. */
function toLarge(letters: number, name = 'large'): ExecutionRequest {
  const files = ['a', 'b', 'c'].map((file) => ({ name: `${file}.sql`, text: file.repeat(letters) }));
  const packages = [{ id: name, name, files, unreadable: [], imports: {} }];
  const work = { kind: 'script', snapshot: { needs: [{ id: name }], packages }, file: 'a.sql' } as const;
  return toRequest('', '/nowhere', { work });
}

const MEGABYTE = 1024 ** 2;

it('sends long SQL in pieces', async () => {
  const { send, received, kinds } = connect();
  const request = toRequest(`select '${'é'.repeat(3 * MEGABYTE)}'`, '/nowhere');
  await send('1', request);
  expect(kinds()).toEqual([...Array.from({ length: 7 }, () => 'package'), 'run']);
  await send('2', request);
  expect(kinds()).toEqual(['run']);
  expect(received).toEqual([request, request]);
});

it('sends a large package in pieces, and other messages between them', async () => {
  const { send, sent, received } = connect();
  const [large, same] = [send('1', toLarge(4 * MEGABYTE)), send('2', toLarge(4 * MEGABYTE))];
  await send('3', toScript('a'));
  expect(received).toEqual([toScript('a')]);
  await Promise.all([large, same]);
  expect(received.slice(1)).toEqual([toLarge(4 * MEGABYTE), toLarge(4 * MEGABYTE)]);
  const pieces = sent.flatMap((message) => (message.kind === 'package' ? [message.bytes.length] : []));
  expect(Math.max(...pieces)).toBeLessThanOrEqual(MEGABYTE);
  expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(13 * MEGABYTE);
  expect(sent.findIndex((message) => message.kind === 'run')).toBeLessThan(sent.length - 12);
});

it('stops sending a package whose request is cancelled, and sends all of it with the next request', async () => {
  const { send, sent, received, kinds } = connect();
  const isHalfSent = () => sent.length < 5;
  await send('1', toLarge(4 * MEGABYTE), isHalfSent);
  expect(kinds()).toEqual([...Array(5).fill('package'), 'forget']);
  expect(received).toEqual([]);
  await send('2', toLarge(4 * MEGABYTE));
  expect(received).toEqual([toLarge(4 * MEGABYTE)]);
});

it('keeps the packages of a request until the request has been sent', async () => {
  const { send, received } = connect(1);
  const both = { ...toLarge(3 * MEGABYTE, 'b'), work: join(toScript('a'), toLarge(3 * MEGABYTE, 'b')) };
  await Promise.all([send('1', both), send('2', toScript('a')), send('3', toScript('c'))]);
  expect(received).toHaveLength(3);
  expect(received).toContainEqual(both);
});

/** The script of the first request, with the packages of both. */
function join({ work }: ExecutionRequest, other: ExecutionRequest): ExecutionRequest['work'] {
  if (work.kind !== 'script' || other.work.kind !== 'script') throw new Error('these are no scripts');
  const packages = [...work.snapshot.packages, ...other.work.snapshot.packages];
  return { ...work, snapshot: { ...work.snapshot, packages } };
}
