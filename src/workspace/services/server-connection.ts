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

/** A connection to the server that runs on a home; good for one call. */
export interface ServerConnection {
  /** The rules that hold for SQL on it, for whoever has met one of them. */
  readonly rules: string;
  run(request: ExecutionRequest, outlet: Outlet, signal: AbortSignal): Promise<ExecutionOutcome>;
  /** Asks for anything else. Rejects with a ServiceError 503 when the server ends before it has answered. */
  ask<K extends keyof ServerAnswers>(
    call: Extract<ServerCall, { kind: K }>,
    signal?: AbortSignal,
    onBytes?: () => void,
  ): Promise<ServerAnswers[K]>;
  /** For whoever has nothing to ask after all. */
  leave(): void;
}

/**
 * Connects to the server that runs on a home; null where none does. Rejects with a ServiceError 503 for one that cannot
 * be reached.
 */
export async function connectToServer(home: Home): Promise<ServerConnection | null> {
  if (!existsSync(home.socket)) return null;
  const { connectToCalls } = await import('../../execution/command-socket/call-client.ts');
  const connection = await connectToCalls(home.socket).catch(refuse);
  if (connection === null) return null;
  return {
    rules: printRules(home, connection),
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

function printRules({ folder, files }: Home, { pid }: CallConnection): string {
  const told = readServerFile(folder);
  const server = told?.pid === pid ? `process ${pid}, ${told.url}` : `process ${pid}`;
  return `A server runs on this home (${server}), and what holds for SQL there holds for this command, too: stop it, or put files that are to be read below ${files}.`;
}
