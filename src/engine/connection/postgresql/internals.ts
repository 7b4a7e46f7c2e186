import { Socket } from 'node:net';
import type pg from 'pg';

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

interface Emitter {
  on(event: 'parameterStatus', listener: (status: ParameterStatus) => void): void;
}

/** What `pg` 8 keeps of a session besides its public types. */
interface Internals {
  readonly connection?: Partial<Emitter> & { readonly stream?: unknown };
  readonly processID?: unknown;
  readonly secretKey?: unknown;
}

/** What is needed of a client that has signed in. */
interface SignedIn {
  readonly stream: Socket;
  /** By which a statement is cancelled. */
  readonly processId: number;
  readonly secretKey: number;
}

/** Listens to the settings that the server tells. Throws where `pg` has changed. */
export function onSetting(client: pg.Client, listener: (name: string, value: string) => void): void {
  const { connection } = toInternals(client);
  if (typeof connection?.on !== 'function') throw createChanged('connection.on');
  connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
    listener(parameterName, parameterValue),
  );
}

/** The socket of a client, signed in or not. Throws where `pg` has changed. */
export function findSocket(client: pg.Client): Socket {
  const stream = toInternals(client).connection?.stream;
  if (stream instanceof Socket) return stream;
  throw createChanged('connection.stream');
}

/** Takes the socket of a client that has signed in. Throws where `pg` has changed. */
export function takeOver(client: pg.Client): SignedIn {
  const { processID: processId, secretKey } = toInternals(client);
  if (typeof processId !== 'number') throw createChanged('processID');
  if (typeof secretKey !== 'number') throw createChanged('secretKey');
  return { stream: findSocket(client), processId, secretKey };
}

function toInternals(client: pg.Client): Internals {
  return client as unknown as Internals;
}

/** Without them, statements could not be cancelled, or answers not be read. */
function createChanged(property: string): Error {
  return new Error(
    `the package pg no longer has \`Client.${property}\`: adapt the driver to its new version`,
  );
}
