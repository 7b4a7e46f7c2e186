import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
const FIRST = 10_000;
/** The default of Linux for the first port that the system gives to sockets that ask for any. */
const DEFAULT_END = 32_768;
const END = findEnd();

/** The first port that the system gives; the default where it is unknown, or leaves few ports below it. */
function findEnd(): number {
  const first = existsSync(RANGE) ? Number.parseInt(readFileSync(RANGE, 'utf8'), 10) : DEFAULT_END;
  return first > 2 * FIRST ? first : DEFAULT_END;
}

/** A port on which no process listens. It stays free while a server starts: the system gives it to no other socket. */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
