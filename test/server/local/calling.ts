import { onTestFinished } from 'vitest';
import type { Sink } from '../../../src/engine/result/columns/sink.ts';
import { listenForCommands } from '../../../src/server/local/listen.ts';
import type { LocalOperations } from '../../../src/server/local/operations.ts';
import { homeAt } from '../../../src/workspace/home/home.ts';
import { readVersion } from '../../../src/workspace/home/package-root.ts';
import { callServer } from '../../../src/workspace/services/call-server.ts';
import { makeFolder } from '../../support/quern.ts';

/** Answers a call of any operation: writes bytes to `sink` and resolves with the answer. */
export type AnswerCall = (input: unknown, sink: Sink, signal: AbortSignal) => Promise<unknown>;

type Caller = Parameters<LocalOperations['run']>[1];

/** Listens for commands on a home; every operation is `answer`, and every user is known. */
export function listen(answer: AnswerCall, folder: string = makeFolder(), version: string = readVersion()) {
  const warnings: string[] = [];
  const operation = (input: unknown, { write, signal }: Caller) => answer(input, { write }, signal) as never;
  const operations = {
    run: operation,
    'keep-session': operation,
    list: operation,
    cancel: operation,
    hold: operation,
    status: operation,
    backups: operation,
    'delete-backup': operation,
    'sign-in-file': operation,
  };
  const server = listenForCommands({
    home: folder,
    operations,
    findPrincipal: (id = 'owner') => ({ userId: id, userName: id, superUser: true, viewsOnly: false }),
    version,
    warn: (line) => warnings.push(line),
  });
  onTestFinished(() => server.close());
  return { folder, file: homeAt(folder).socket, server, warnings };
}

/** Calls the server at a socket; null without one. Bytes of the response go to `sink`. */
export async function call(
  socket: string,
  input: unknown,
  sink: { write(bytes: Uint8Array): unknown } = { write: () => {} },
  signal?: AbortSignal,
): Promise<unknown> {
  return callServer({ socket }, 'run', { input: input as never }, { sink: sink as Sink, signal });
}
