import { Socket } from 'node:net';
import type pg from 'pg';

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

interface Emitter {
  on(event: 'parameterStatus', listener: (status: ParameterStatus) => void): void;
}

/** Properties of a session in `pg` 8 that are not part of its public types. */
interface Internals {
  readonly connection?: Partial<Emitter> & { readonly stream?: unknown };
  readonly processID?: unknown;
  readonly secretKey?: unknown;
}

/** The parts of a signed-in client that the driver uses. */
interface SignedIn {
  readonly stream: Socket;
  /** Identifies the session in cancel requests. */
  readonly processId: number;
  readonly secretKey: number;
}

/** Listens to the settings that the server reports. Throws when the internals of `pg` have changed. */
export function onSetting(client: pg.Client, listener: (name: string, value: string) => void): void {
  const { connection } = toInternals(client);
  if (typeof connection?.on !== 'function') throw createChanged('connection.on');
  connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
    listener(parameterName, parameterValue),
  );
}

/** The socket of a client, signed in or not. Throws when the internals of `pg` have changed. */
export function findSocket(client: pg.Client): Socket {
  const stream = toInternals(client).connection?.stream;
  if (stream instanceof Socket) return stream;
  throw createChanged('connection.stream');
}

/** Takes over the socket of a signed-in client. Throws when the internals of `pg` have changed. */
export function takeOver(client: pg.Client): SignedIn {
  const { processID: processId, secretKey } = toInternals(client);
  if (typeof processId !== 'number') throw createChanged('processID');
  if (typeof secretKey !== 'number') throw createChanged('secretKey');
  return { stream: findSocket(client), processId, secretKey };
}

function toInternals(client: pg.Client): Internals {
  return client as unknown as Internals;
}

/** Without these properties, statements could not be cancelled, or answers not be read. */
function createChanged(property: string): Error {
  return new Error(
    `the package pg no longer has \`Client.${property}\`: adapt the driver to its new version`,
  );
}
