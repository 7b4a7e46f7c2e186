import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { expectRefusal, parseAnswer } from '../../support/http.ts';
import { eventually } from '../../support/waiting.ts';
import { openRaw, type RawConnection } from '../raw.ts';
import { createWorld } from '../world.ts';

const TOO_SLOW = 'The request did not arrive in time';

/** Sends a text repeatedly until the server ends the connection; returns the answer. */
async function trickle(connection: RawConnection, text: string): Promise<string> {
  const timer = setInterval(() => connection.send(text), 50);
  try {
    return await connection.rest();
  } finally {
    clearInterval(timer);
  }
}

describe('a slow client', () => {
  it('gets an error for slow headers, and its connection is closed', async () => {
    const { port } = await createWorld({ requestTimeoutMs: 300 });
    const connection = await openRaw(port);
    connection.send('GET /health/live HTTP/1.1\r\nHost: x\r\n');
    expectRefusal(parseAnswer(await trickle(connection, 'X-More: y\r\n')), 408, TOO_SLOW);
  });

  it('loses its connection after that, also when it keeps its side open', async () => {
    const { port, app } = await createWorld({ requestTimeoutMs: 300 });
    const connection = await openRaw(port, { allowHalfOpen: true });
    connection.send('GET /health/live HTTP/1.1\r\nHost: x\r\n');
    expectRefusal(parseAnswer(await connection.answers(1)), 408, TOO_SLOW);
    const count = promisify(app.server.getConnections.bind(app.server));
    await eventually(async () => expect(await count()).toBe(0));
  });

  it('gets the same for a slow body', async () => {
    const { port, token, ask, log } = await createWorld({ requestTimeoutMs: 300 });
    const connection = await openRaw(port);
    connection.send(
      `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"name":"',
    );
    expectRefusal(parseAnswer(await trickle(connection, 'x')), 408, TOO_SLOW);
    expect((await ask('GET', '/api/v1/catalog/list')).status).toBe(200);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('does not delay others', async () => {
    const { port, ask } = await createWorld();
    const slow = await Promise.all(Array.from({ length: 50 }, () => openRaw(port)));
    for (const connection of slow) connection.send('POST /api/v1/catalog/folders HTTP/1.1\r\nHost');
    expect((await ask('GET', '/api/v1/catalog/list')).status).toBe(200);
    for (const { socket } of slow) expect(socket.destroyed).toBe(false);
  });

  it('is not an error between two requests', async () => {
    const { port } = await createWorld();
    const connection = await openRaw(port);
    const request = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    connection.send(request);
    await connection.answers(1);
    for (const char of request) connection.send(char);
    const text = await connection.answers(2);
    expect([...text.matchAll(/HTTP\/1\.1 200 /g)]).toHaveLength(2);
    await eventually(() => expect(connection.socket.destroyed).toBe(false));
  });
});
