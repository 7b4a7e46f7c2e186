import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { executionErrors, LostError } from '../../execution/contract/errors.ts';
import { printMessage, readFrames, readSocketAnswer } from '../../execution/frames/socket-frames.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../../execution/frames/socket-path.ts';
import { codeOf, toError } from '../../invariants/narrow.ts';
import { homeServerErrors } from '../api/errors.ts';
import type { Home } from '../home/home.ts';
import { readVersion } from '../home/package-root.ts';
import { type CallEnd, LOCAL_PATH, type LocalCall, type LocalCalls, VERSION_HEADER } from './local-calls.ts';

/** What happens with the bytes of a response, and what ends the call; by default nothing. */
interface Calling {
  readonly sink?: Sink;
  /** Disconnects when it is aborted, which ends the work of the server. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a server may take to accept a call, in milliseconds. */
const ACCEPT_MS = 10_000;

/** Error codes of the system for a socket on which no process listens any longer. */
const NOT_LISTENING = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/**
 * Calls an operation of the server that has a home open; null without a server. Rejects with the ServiceError of the
 * operation, with a ServiceError for a server that cannot be reached, does not answer or has another version, with a
 * LostError when the server ends before its answer does, with a LimitError for a call that is too long, with the error
 * of the sink, and with a plain Error for an internal error of the server.
 */
export async function callServer<Name extends keyof LocalCalls>(
  { socket }: Pick<Home, 'socket'>,
  name: Name,
  call: LocalCall<LocalCalls[Name]['input']>,
  { sink = { write: () => {} }, signal }: Calling = {},
): Promise<LocalCalls[Name]['answer'] | null> {
  if (!existsSync(socket)) return null;
  const accepted = await open(socket, name).catch(refuse);
  if (accepted === null) return null;
  const { request, answer } = accepted;
  const leave = () => void request.destroy();
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted) leave();
  try {
    request.end(printMessage(call));
    const response = await answer;
    if (response.headers[VERSION_HEADER] !== readVersion()) throw executionErrors.otherVersion();
    const end = (await readSocketAnswer(readFrames(response), sink, executionErrors.serverLost)) as CallEnd;
    return readEnd(end) as LocalCalls[Name]['answer'];
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

/** Like `callServer`, but a server that ends is a ServiceError, too: for calls whose answer is not an outcome. */
export async function askServer<Name extends keyof LocalCalls>(
  ...args: Parameters<typeof callServer<Name>>
): Promise<LocalCalls[Name]['answer'] | null> {
  return callServer(...args).catch(refuse);
}

function refuse(error: unknown): never {
  throw error instanceof LostError ? homeServerErrors.unreachable(error) : error;
}

/** A request whose body the server waits for; its answer is rejected with a LostError when the connection ends. */
interface AcceptedRequest {
  readonly request: ClientRequest;
  readonly answer: Promise<IncomingMessage>;
}

/** Sends the head of a request, and waits until the server asks for the body; null if no server listens. */
async function open(file: string, name: string): Promise<AcceptedRequest | null> {
  try {
    return await sendHead(findSocket(file), name);
  } catch (error) {
    if (error instanceof LostError || error instanceof ServiceError) throw error;
    const code = codeOf(error) ?? '';
    if (NOT_LISTENING.includes(code)) return null;
    throw code.startsWith('HPE_')
      ? executionErrors.otherVersion()
      : executionErrors.serverUnreachable(toError(error).message);
  }
}

/**
 * The path of the socket: follows the link that replaces a socket whose path is too long, and resolves links to get a
 * shorter path. Throws the system's error for a missing file, and a ServiceError for the socket of another user.
 */
function findSocket(file: string): string {
  const owner = statSync(file).uid;
  if (process.geteuid !== undefined && owner !== process.geteuid())
    throw homeServerErrors.ofOtherUser(file, owner);
  const target = lstatSync(file).isSymbolicLink() ? readlinkSync(file) : file;
  return Buffer.byteLength(target) <= MAX_SOCKET_PATH_LENGTH ? target : realpathSync(target);
}

async function sendHead(socketPath: string, name: string): Promise<AcceptedRequest> {
  // Only commands on a served home load it.
  const http = await import('node:http');
  const headers = { [VERSION_HEADER]: readVersion(), expect: '100-continue' };
  const path = `${LOCAL_PATH}${name}`;
  const request = http.request({ socketPath, method: 'POST', path, headers, agent: false });
  const accepted = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<IncomingMessage>();
  answer.promise.catch(() => {});
  const timer = setTimeout(() => request.destroy(executionErrors.serverSilent()), ACCEPT_MS);
  request.once('continue', accepted.resolve);
  request.once('response', (response) => {
    answer.resolve(response);
    // A server of this version asks for the body of every call.
    accepted.reject(executionErrors.otherVersion());
  });
  // Later errors surface to the reader of the answer.
  request.on('error', accepted.reject);
  request.once('close', () => answer.reject(executionErrors.serverLost()));
  request.flushHeaders();
  try {
    await accepted.promise;
    return { request, answer: answer.promise };
  } catch (error) {
    request.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function readEnd(end: CallEnd): unknown {
  if (end.kind === 'refused') throw homeServerErrors.refused(end);
  if (end.kind === 'broken') throw new Error(end.trace);
  return end.value;
}
