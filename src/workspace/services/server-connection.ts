import { existsSync } from 'node:fs';
import type { CallConnection } from '../../execution/command-socket/call-client.ts';
import { LostError } from '../../execution/contract/errors.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { Outlet } from '../../execution/contract/outlet.ts';
import type { ExecutionRequest } from '../../execution/contract/request.ts';
import { serverErrors } from '../api/errors.ts';
import type { Home } from '../home/home.ts';
import type { ServerAnswers, ServerCall } from './server-calls.ts';
import { readServerFile } from './server-file.ts';

/** A connection to the server of a home, for one call. */
export interface ServerConnection {
  /** The address that the server listens on; null while it starts. */
  readonly url: string | null;
  /** The server's rules for SQL, as a hint for errors that they cause. */
  readonly rules: string;
  run(request: ExecutionRequest, outlet: Outlet, signal: AbortSignal): Promise<ExecutionOutcome>;
  /** Sends any other call. Rejects with a ServiceError 503 when the server ends before it has answered. */
  ask<K extends keyof ServerAnswers>(
    call: Extract<ServerCall, { kind: K }>,
    signal?: AbortSignal,
    onBytes?: () => void,
  ): Promise<ServerAnswers[K]>;
  /** Closes the connection without a call. */
  leave(): void;
}

/**
 * Connects to the server of a home; null without a server. Rejects with a ServiceError 503 for an unreachable server.
 */
export async function connectToServer(home: Home): Promise<ServerConnection | null> {
  if (!existsSync(home.socket)) return null;
  const { connectToCalls } = await import('../../execution/command-socket/call-client.ts');
  const connection = await connectToCalls(home.socket).catch(refuse);
  if (connection === null) return null;
  const url = findUrl(home, connection);
  return {
    url,
    rules: printRules(home, connection, url),
    async run(request, outlet, signal) {
      const { runOnServer } = await import('../../execution/command-socket/socket-host.ts');
      return runOnServer(connection, request, outlet, signal);
    },
    ask: async (call, signal = new AbortController().signal, onBytes = () => {}) =>
      connection.call(call, { write: onBytes }, signal).catch(refuse) as Promise<never>,
    leave: () => connection.leave(),
  };
}

function refuse(error: unknown): never {
  throw error instanceof LostError ? serverErrors.unreachable(error) : error;
}

function findUrl({ folder }: Home, { pid }: CallConnection): string | null {
  const file = readServerFile(folder);
  return file?.pid === pid ? file.url : null;
}

function printRules({ files }: Home, { pid }: CallConnection, url: string | null): string {
  const server = url === null ? `process ${pid}` : `process ${pid}, ${url}`;
  return `A server runs on this home (${server}), and its rules for SQL apply to this command, too: stop it, or move the files to read below ${files}.`;
}
