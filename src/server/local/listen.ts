// The second listener of a server: HTTP over the socket of its home, for commands of the user who runs the server. It
// knows the operations below `/local/` alone, and the listener at the port does not know them. The mode of the socket
// keeps other users out (docs/guides/server.md#the-command-line-on-a-running-server), so there are no tokens and no
// limits, and the acting user that a command names is trusted.

import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors/service-error.ts';
import { printHead, printMessage, readFrames } from '../../execution/frames/socket-frames.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../../execution/frames/socket-path.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { elementAt } from '../../invariants/must.ts';
import { isKeyOf, printTrace, toError } from '../../invariants/narrow.ts';
import { homeAt } from '../../workspace/home/home.ts';
import {
  type CallEnd,
  LOCAL_PATH,
  type LocalCall,
  VERSION_HEADER,
} from '../../workspace/services/local-calls.ts';
import type { LocalOperations } from './operations.ts';

/** The socket where a server accepts commands on its home. */
export interface CommandListener {
  /** Gives commands a moment to read their answers, then disconnects them and removes the socket. */
  readonly close: () => Promise<void>;
}

/** How long commands have to read their answers when the listener closes, in milliseconds. */
const DRAIN_MS = 1_000;

/**
 * Milliseconds for the headers of a request, and between checks for that. The response to a client without a request is
 * what a command of a version before HTTP waits for.
 */
const TIMES = { headersTimeout: 5_000, requestTimeout: 0, connectionsCheckingInterval: 1_000 };

/** The origin of commands in the audit log and in the query log. */
const ORIGIN = { tokenId: null, scope: 'all', address: 'local', requestId: null } as const;

interface ListenerOptions {
  /** The home's folder. */
  readonly home: string;
  readonly operations: LocalOperations;
  /** The principal of an active user, by default of the home's owner. Throws a ServiceError. */
  readonly findPrincipal: (userId: string | undefined) => Principal;
  /** The version of the product. */
  readonly version: string;
  /** Receives the error that prevents listening; then there is no socket. */
  readonly warn: (line: string) => void;
}

/**
 * Listens at the socket of a home (mode 0600) and replaces an existing file. If its path is too long for a socket, it
 * becomes a link to a socket elsewhere.
 */
export function listenForCommands(options: ListenerOptions): CommandListener {
  const { home, warn } = options;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // The caller has disconnected, or sent an invalid message.
    answerCall(request, response, options).catch(() => response.destroy());
  };
  const onError = (error: Error) => warn(`commands cannot reach this server: ${error.message}`);
  const server = createServer(TIMES, answer).on('checkContinue', answer).on('error', onError);
  const remove = tryToPutInPlace();
  function tryToPutInPlace(): () => void {
    try {
      return putInPlace(homeAt(home).socket, (file) => {
        server.listen(file);
        if (server.listening) chmodSync(file, 0o600);
        return server.listening;
      });
    } catch (error) {
      onError(toError(error));
      return () => {};
    }
  }
  return {
    async close() {
      remove();
      const closed = new Promise<unknown>((resolve) => server.close(resolve));
      await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

/** Has `listen` create a socket in a folder that only this user may enter, then moves it to `file` atomically. */
function putInPlace(file: string, listen: (draft: string) => boolean): () => void {
  const beside = mkdtempSync(path.join(path.dirname(file), '.serve-'));
  const draft = path.join(beside, 's');
  const isShort = [draft, file].every((name) => Buffer.byteLength(name) <= MAX_SOCKET_PATH_LENGTH);
  const elsewhere = isShort ? null : mkdtempSync(path.join(tmpdir(), 'quern-'));
  const remove = (name: string) => rmSync(name, { recursive: true, force: true });
  try {
    const socket = elsewhere === null ? draft : path.join(elsewhere, 's');
    if (listen(socket)) {
      if (elsewhere !== null) symlinkSync(socket, draft);
      renameSync(draft, file);
    }
  } finally {
    remove(beside);
  }
  return () => {
    remove(file);
    if (elsewhere !== null) remove(elsewhere);
  };
}

/** Reads one call, and answers it while the caller stays connected. Rejects when the caller has disconnected. */
async function answerCall(
  request: IncomingMessage,
  response: ServerResponse,
  { operations, findPrincipal, version }: ListenerOptions,
): Promise<void> {
  response.setHeader(VERSION_HEADER, version);
  const { method, url = '', headers } = request;
  const name = url.startsWith(LOCAL_PATH) ? url.slice(LOCAL_PATH.length) : '';
  if (!isKeyOf(operations, name) || method !== 'POST')
    return refuse(response, 404, `not found: ${method} ${url}`);
  if (headers[VERSION_HEADER] !== version) return refuse(response, 409, `this server has version ${version}`);
  if (headers.expect !== undefined) response.writeContinue();
  const { user, input } = await readCall(request);
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const write = (bytes: Uint8Array) => writeBytes(response, bytes);
  const end = await endOf(async () => {
    const principal = { ...findPrincipal(user), origin: ORIGIN };
    return operations[name](input as never, { principal, write, signal: disconnected.signal });
  });
  if (!response.headersSent) response.statusCode = statusOf(end);
  response.end(printMessage(end));
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { connection: 'close' }).end(`${text}\n`);
}

/** Reads the message of a request to its end; throws for a body without a message. */
async function readCall(request: IncomingMessage): Promise<LocalCall> {
  const messages: unknown[] = [];
  for await (const frame of readFrames(request)) if (frame.kind === 'message') messages.push(frame.value);
  return elementAt(messages, 0) as LocalCall;
}

async function endOf(run: () => Promise<unknown>): Promise<CallEnd> {
  try {
    return { kind: 'answered', value: await run() };
  } catch (error) {
    if (!(error instanceof ServiceError)) return { kind: 'broken', trace: printTrace(error) };
    const { status, code, detail, hint } = error;
    return { kind: 'refused', status, code, detail, hint };
  }
}

function statusOf(end: CallEnd): number {
  if (end.kind === 'answered') return 200;
  return end.kind === 'refused' ? end.status : 500;
}

/** Writes bytes as a frame; see `Caller`. Work that has been stopped can write after the end. */
async function writeBytes(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0 || response.writableEnded) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = () => reject(new Error('the command has disconnected'));
  // Node.js drops some writes to a closed connection without a call.
  response.once('close', leave);
  response.cork();
  response.write(printHead('bytes', bytes.length));
  response.write(bytes, (error) => (error ? leave() : resolve()));
  response.uncork();
  await promise.finally(() => response.off('close', leave));
}
