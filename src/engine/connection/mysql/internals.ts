import { Socket } from 'node:net';
import type { Connection } from 'mysql2';

/** What `mysql2` 3 keeps of a session besides its public types. */
interface Internals {
  readonly stream?: unknown;
  readonly _mariadbExtendedMetadata?: unknown;
}

/** What is needed of a connection that has signed in. */
interface SignedIn {
  readonly stream: Socket;
  /** Whether descriptions of columns are MariaDB's longer ones. */
  readonly isExtended: boolean;
}

/** Takes the socket of a connection that has signed in. Throws where `mysql2` has changed. */
export function takeOver(connection: Connection): SignedIn {
  const { stream, _mariadbExtendedMetadata: isExtended } = connection as unknown as Internals;
  if (!(stream instanceof Socket)) throw createChanged('stream');
  if (typeof isExtended !== 'boolean') throw createChanged('_mariadbExtendedMetadata');
  return { stream, isExtended };
}

/** Node checks the name in a certificate against `_host` where a host is an address; only its own sockets have it. */
export function nameHost(socket: Socket, host: string): Socket {
  return Object.assign(socket, { _host: host });
}

/** Without them, answers could not be read. */
function createChanged(property: string): Error {
  return new Error(
    `the package mysql2 no longer has \`Connection.${property}\`: adapt the driver to its new version`,
  );
}
