import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection on which a test controls every byte. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string | Uint8Array): void;
  /** The received text, after the given number of answers or the end of the other side. */
  answers(count: number): Promise<string>;
  /** The received text at the end of the other side. */
  rest(): Promise<string>;
}

/** Opens a connection to this machine. */
export async function openRaw(
  port: number,
  options: Pick<TcpNetConnectOpts, 'allowHalfOpen' | 'localAddress'> = {},
): Promise<RawConnection> {
  const socket = connect({ ...options, port, host: '127.0.0.1' });
  onTestFinished(() => {
    socket.destroy();
  });
  let received = '';
  let hasEnded = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    received += chunk;
    wake();
  });
  // A cut connection has ended, too.
  socket.on('error', () => {});
  socket.on('close', () => {
    hasEnded = true;
    wake();
  });
  const until = (isEnough: () => boolean): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const look = () => {
      if (!hasEnded && !isEnough()) return;
      waiting.delete(look);
      resolve(received);
    };
    waiting.add(look);
    look();
    return promise;
  };
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    socket,
    send: (text) => void socket.write(text),
    answers: (count) => until(() => countAnswers(received) >= count),
    rest: () => until(() => false),
  };
}

/** The number of complete answers, by the announced lengths of their bodies. */
function countAnswers(text: string): number {
  let rest = text;
  for (let count = 0; ; count++) {
    const end = rest.indexOf('\r\n\r\n');
    const length = /^content-length: (\d+)\r$/im.exec(rest.slice(0, end + 1))?.[1] ?? '0';
    const size = end + 4 + Number(length);
    if (end < 0 || rest.length < size) return count;
    rest = rest.slice(size);
  }
}
