import { describe, expect, it } from 'vitest';
import { expectRefusal, parseAnswer } from '../../support/http.ts';
import { eventually } from '../../support/waiting.ts';
import { openRaw, type RawConnection } from '../raw.ts';
import { createWorld, type World } from '../world.ts';

const REQUEST = 'GET /health/live HTTP/1.1\r\nHost: x\r\n';

/** Opens connections of one address, and starts a request on each. */
function hold({ port }: World, count: number, localAddress = '127.0.0.2'): Promise<RawConnection[]> {
  const open = async () => {
    const connection = await openRaw(port, { localAddress });
    connection.send(REQUEST);
    return connection;
  };
  return Promise.all(Array.from({ length: count }, open));
}

/** The answer on a new connection of an address; undefined if the connection is closed without one. */
async function ask({ port }: World, localAddress: string, headers = ''): Promise<number | undefined> {
  const connection = await openRaw(port, { localAddress });
  connection.send(`${REQUEST}${headers}\r\n`);
  const text = await connection.answers(1);
  connection.socket.destroy();
  return text === '' ? undefined : parseAnswer(text).status;
}

describe('a server', () => {
  it('closes connections of one address beyond its limit, and serves others', async () => {
    const world = await createWorld({ limitLoopback: true, maxConnectionsPerAddress: 3 });
    const held = await hold(world, 3);
    expect(await ask(world, '127.0.0.2')).toBeUndefined();
    expect(await ask(world, '127.0.0.3')).toBe(200);
    expect(world.log.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({
        address: '127.0.0.2',
        closed: 1,
        msg: 'closed connections beyond the limit',
      }),
    ]);
    held[0]!.socket.destroy();
    await eventually(async () => expect(await ask(world, '127.0.0.2')).toBe(200));
  });

  it('closes connections beyond the limit for all, and then does not count them for an address', async () => {
    const world = await createWorld({ limitLoopback: true, maxConnections: 3, maxConnectionsPerAddress: 3 });
    const held = await hold(world, 3);
    for (let time = 0; time < 4; time++) expect(await ask(world, '127.0.0.3')).toBeUndefined();
    for (const { socket } of held) socket.destroy();
    await eventually(async () => expect(await ask(world, '127.0.0.3')).toBe(200));
    await hold(world, 2);
    expect(await ask(world, '127.0.0.3')).toBe(200);
  });

  it('does not limit the local machine, unless `limit_loopback` is set', async () => {
    const world = await createWorld({ maxConnectionsPerAddress: 1 });
    await hold(world, 3);
    expect(await ask(world, '127.0.0.2')).toBe(200);
  });

  it('counts the requests of a client behind a trusted proxy, and not the connections of the proxy', async () => {
    const world = await createWorld({
      limitLoopback: true,
      trustProxy: ['127.0.0.2'],
      maxConnectionsPerAddress: 2,
    });
    const partialRequest =
      `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 50\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n{';
    for (const connection of await hold(world, 3)) connection.send('\r\n');
    const open = await Promise.all([1, 2].map(() => openRaw(world.port, { localAddress: '127.0.0.2' })));
    for (const connection of open) connection.send(partialRequest);
    const refused = await openRaw(world.port, { localAddress: '127.0.0.2' });
    await eventually(async () =>
      expect(await ask(world, '127.0.0.2', 'X-Forwarded-For: 203.0.113.7\r\n')).toBe(503),
    );
    refused.send(`${REQUEST}X-Forwarded-For: 203.0.113.7\r\n\r\n`);
    const answer = parseAnswer(await refused.answers(1));
    expectRefusal(answer, 503, 'Too many open requests from this address');
    expect(answer.headers['retry-after']).toBe('5');
    expect(await ask(world, '127.0.0.2', 'X-Forwarded-For: 203.0.113.8\r\n')).toBe(200);
    expect(await ask(world, '127.0.0.2')).toBe(200);
    for (const { socket } of open) socket.destroy();
    await eventually(async () =>
      expect(await ask(world, '127.0.0.2', 'X-Forwarded-For: 203.0.113.7\r\n')).toBe(200),
    );
  });
});
