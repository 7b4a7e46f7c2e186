import { connect } from 'node:net';
import { readFigures } from '../measure.ts';

// load PORT CONNECTIONS REQUEST…: sends each request, a JSON object { method, path, token, body }, once, over the given
// number of connections. A connection waits for each response before the next request. Prints the figures, and fails at
// the first response without success. The environment variable REPEAT is the number of repetitions of the list.
const [port = '0', connections = '1', ...texts] = process.argv.slice(2);

interface Load {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
}

const repeat = Number(process.env.REPEAT ?? 1);
const requests = texts.flatMap((text) => expand(JSON.parse(text)));

/** `#` in a body is replaced by the number of the request. */
function expand(load: Load): readonly Buffer[] {
  return Array.from({ length: repeat }, (_, number) => print(load, number));
}

function print({ method, path, token, body }: Load, number: number): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body).replaceAll('#', `${process.pid}-${number}`);
  const type =
    text === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${type}\r\n${text}`,
  );
}

let next = 0;
const [start, cpu] = [performance.now(), process.cpuUsage()];
await Promise.all(Array.from({ length: Number(connections) }, send));
console.log(JSON.stringify(readFigures(start, cpu)));

function send(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.setNoDelay(true);
    let missing = -1;
    const sendNext = () => {
      const request = requests[next++];
      if (request === undefined) {
        socket.end();
        resolve();
        return;
      }
      missing = -1;
      socket.write(request);
    };
    socket.on('connect', sendNext);
    socket.on('error', reject);
    socket.on('data', (part) => {
      if (missing === -1) {
        const end = part.indexOf('\r\n\r\n');
        const head = part.toString('latin1', 0, end);
        if (end === -1 || !/^HTTP\/1\.1 2/.test(head)) return reject(new Error(part.toString('utf8')));
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (part.length - end - 4);
      } else missing -= part.length;
      if (missing === 0) sendNext();
    });
  });
}
