import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MysqlExchange, type SessionState } from '../../../../src/engine/connection/mysql/exchange.ts';
import { MysqlWire } from '../../../../src/engine/connection/mysql/wire.ts';
import { never, readError } from '../results.ts';

const OK = Buffer.from([0, 5, 0, 3, 0, 0, 0]);

function toPacket(payload: Buffer, number: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(payload.length, 0, 3);
  head[3] = number;
  return Buffer.concat([head, payload]);
}

/** A server that answers each packet with the next answer, in pieces of the given number of bytes. */
function createServer(answers: readonly Buffer[], piece = Number.POSITIVE_INFINITY) {
  const sent: Buffer[] = [];
  const stream = new Duplex({
    read() {},
    write(packet: Buffer, _, done) {
      sent.push(packet);
      const answer = answers[sent.length - 1] ?? Buffer.alloc(0);
      for (let at = 0; at < answer.length; at += piece) stream.push(answer.subarray(at, at + piece));
      done();
    },
  });
  return { sent, stream };
}

function createExchange(stream: Duplex, signal = never) {
  const state: SessionState = { inTransaction: false, autocommit: true, schema: null, timeZone: '+00:00' };
  const asked: string[] = [];
  const requestCancel = async (what: string) => void asked.push(what);
  const wire = new MysqlWire(stream);
  const statement = 'SELECT 1';
  return {
    exchange: new MysqlExchange({ wire, statement, signal, isExtended: false, state, requestCancel }),
    state,
    asked,
  };
}

describe('an exchange with a MySQL server', () => {
  it('does not send a file to a server that requests one', async () => {
    const asks = toPacket(Buffer.concat([Buffer.from([0xfb]), Buffer.from('/etc/passwd')]), 1);
    const { sent, stream } = createServer([asks, toPacket(OK, 3)]);
    const error = await readError(createExchange(stream).exchange.begin());
    expect(error).toMatchObject({ code: 'sql', message: expect.stringContaining('no file to read') });
    expect(sent[1]).toEqual(Buffer.from([0, 0, 0, 2]));
  });

  it('reads an answer that arrives byte by byte', async () => {
    const { stream } = createServer([toPacket(OK, 1)], 1);
    const { exchange, state } = createExchange(stream);
    expect(await exchange.begin()).toBe(null);
    expect(exchange.rowsChanged).toBe(5);
    expect(state.inTransaction).toBe(true);
  });

  it('records the new state of the session', async () => {
    const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
    const variable = Buffer.concat([text('time_zone'), text('+02:00')]);
    const entries = Buffer.concat([
      Buffer.from([0, variable.length]),
      variable,
      Buffer.from([1, 3]),
      text('db'),
    ]);
    const status = Buffer.from([0, 0, 0, 0x00, 0x40, 0, 0, 0, entries.length]);
    const { stream } = createServer([toPacket(Buffer.concat([status, entries]), 1)]);
    const { exchange, state } = createExchange(stream);
    await exchange.begin();
    expect(state).toEqual({ inTransaction: false, autocommit: false, schema: 'db', timeZone: '+02:00' });
  });

  it('disconnects from a server that does not answer, after a second request to end the session', async () => {
    const { stream } = createServer([]);
    const stop = new AbortController();
    const { exchange, asked } = createExchange(stream, stop.signal);
    const failure = readError(exchange.begin());
    stop.abort();
    expect((await failure).code).toBe('cancelled');
    expect(new Set(asked)).toEqual(new Set(['QUERY', 'CONNECTION']));
    expect(stream.destroyed).toBe(true);
  });
});
