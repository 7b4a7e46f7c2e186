import { Socket } from 'node:net';
import type { Connection } from 'mysql2';

/** Properties of a session in `mysql2` 3 that are not part of its public types. */
interface Internals {
  readonly stream?: unknown;
  readonly _mariadbExtendedMetadata?: unknown;
}

/** The parts of a signed-in connection that the driver uses. */
interface SignedIn {
  readonly stream: Socket;
  /** Whether column descriptions have MariaDB's extended form. */
  readonly isExtended: boolean;
}

/** Takes over the socket of a signed-in connection. Throws when the internals of `mysql2` have changed. */
export function takeOver(connection: Connection): SignedIn {
  const { stream, _mariadbExtendedMetadata: isExtended } = connection as unknown as Internals;
  if (!(stream instanceof Socket)) throw createChanged('stream');
  if (typeof isExtended !== 'boolean') throw createChanged('_mariadbExtendedMetadata');
  return { stream, isExtended };
}

/** When a host is an address, Node checks the certificate's name against `_host`, which only its own sockets have. */
export function nameHost(socket: Socket, host: string): Socket {
  return Object.assign(socket, { _host: host });
}

/** Without these properties, answers could not be read. */
function createChanged(property: string): Error {
  return new Error(
    `the package mysql2 no longer has \`Connection.${property}\`: adapt the driver to its new version`,
  );
}
