import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceError } from '../../../../src/errors/service-error.ts';
import { createBodyPieces } from '../../../../src/server/http/bodies/body-pieces.ts';
import { type ArrivedBody, createBodyReader } from '../../../../src/server/http/bodies/body-reader.ts';

const MEGABYTE = 1024 ** 2;
const LIMITS = { timeoutMs: 30_000, memoryMb: 256, idleMs: 10_000 };

function open(limits: Partial<typeof LIMITS> = {}) {
  const reader = createBodyReader({ ...LIMITS, ...limits });
  onTestFinished(() => reader.close());
  return reader;
}

/** A body that arrives in pieces of the given size. */
function toBody(text: string | Buffer, more: Partial<ArrivedBody> = {}, size = 65_536): ArrivedBody {
  const bytes = Buffer.from(text);
  const pieces = createBodyPieces();
  for (let at = 0; at < bytes.length; at += size) pieces.add(bytes.subarray(at, at + size));
  return {
    pieces,
    values: 1,
    options: {},
    caller: 'ada',
    signal: new AbortController().signal,
    ...more,
  };
}

/** The error answer instead of the value. */
const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    ({ status, code, detail }: ServiceError) => ({ status, code, detail }),
  );

const MANY = { values: 100_000 };

describe('large bodies', () => {
  it.each([
    '',
    ' null ',
    '\ufeff{"a":1}',
    '{"__proto__":{"x":1},"constructor":2,"a":-0,"a":"\\ud800"}',
    '{"a":[1e400,123456789012345678901,0.1]}',
    '"é\\u2028😀"',
  ])('are read with the same result as small ones: %s', async (text) => {
    const reader = open();
    for (const isExact of [false, true]) {
      const small = await reader.read(toBody(text, { options: { isExact } }));
      const large = await reader.read(toBody(text, { options: { isExact }, ...MANY }, 3));
      expect(large).toStrictEqual(small);
    }
  });

  it.each(['{"name":', '{"name": secret}', '[1,]', '{"a":1}}', '"a', Buffer.from([0x22, 0xff, 0x22]), ' '])(
    'are refused with the texts of small ones: %s',
    async (text) => {
      const reader = open();
      const small = await refusalOf(reader.read(toBody(text)));
      expect(small?.status).toBe(400);
      expect(await refusalOf(reader.read(toBody(text, MANY)))).toEqual(small);
    },
  );

  it('have their errors at the right position', async () => {
    const text = `{"content":"${'x'.repeat(2 * MEGABYTE)}" oops}`;
    expect(await refusalOf(open().read(toBody(text)))).toEqual({
      status: 400,
      code: 'json_malformed',
      detail: expect.stringContaining(`position ${2 * MEGABYTE + 14}`),
    });
  });

  it('are refused when their fields have too many different names', async () => {
    const reader = open();
    const names = (count: number) =>
      `[${Array.from({ length: count }, (_, i) => `{"same":1,"k${i}":1}`).join()}]`;
    expect(await reader.read(toBody(names(19_999), MANY))).toHaveLength(19_999);
    const refusal = { status: 400, code: 'body_too_many_names' };
    expect(await refusalOf(reader.read(toBody(names(20_000), MANY)))).toMatchObject(refusal);
    const long = `{"${'k'.repeat(3 * MEGABYTE)}":1}`;
    expect(await refusalOf(reader.read(toBody(long)))).toMatchObject(refusal);
  });

  it('are returned without fields that their route does not read', async () => {
    const text = JSON.stringify({ name: 'a', other: [1], content: 'x'.repeat(16 * MEGABYTE), list: [1, 2] });
    const body = toBody(text, { texts: ['name', 'content', 'list'] });
    const read = (await open().read(body)) as { content: string };
    expect({ ...read, content: read.content.length }).toEqual({
      name: 'a',
      content: 15 * MEGABYTE + 1,
      list: [],
    });
  });

  it('have long strings as UTF-8 bytes, where their route accepts that', async () => {
    const reader = open();
    const long = 'aé\u2028'.repeat(MEGABYTE / 2);
    const texts = { texts: ['name', 'content'], byteTexts: ['content'] };
    const read = async (body: object) => (await reader.read(toBody(JSON.stringify(body), texts))) as object;
    const large = await read({ name: long, content: long });
    expect(large).toEqual({ name: long, content: new Uint8Array(Buffer.from(long)) });
    expect(JSON.parse((await reader.print(large, 'ada')).toString())).toEqual({ name: long, content: long });
    const broken = `${long}\ud800`;
    expect(await read({ content: broken })).toEqual({ content: broken });
    expect(await read({ name: long, content: 'short' })).toEqual({ name: long, content: 'short' });
  });
});

describe('the chunks of a body', () => {
  it('leave the memory of this thread when they are a megabyte together', () => {
    const pieces = createBodyPieces();
    const chunks = Array.from({ length: 20 }, () => Buffer.from(new ArrayBuffer(65_536)));
    for (const chunk of chunks.slice(0, 16)) pieces.add(chunk);
    expect(pieces.join().length).toBe(MEGABYTE);
    for (const chunk of chunks.slice(16)) pieces.add(chunk);
    expect(chunks.map(({ length }) => length)).toEqual(chunks.map(() => 0));
    expect(pieces.bytes).toBe(20 * 65_536);
    pieces.drop();
  });

  it('that share memory with others are copied', async () => {
    const text = `"${'x'.repeat(2 * MEGABYTE)}"`;
    const shared = Buffer.from(text);
    const body = toBody(shared);
    body.pieces.drop();
    expect(shared.toString()).toBe(text);
  });

  it('are released with their port if they are not received', async () => {
    const pieces = createBodyPieces();
    pieces.add(Buffer.from('1'));
    const closed = once(pieces.takePort(), 'close');
    pieces.drop();
    await expect(closed).resolves.toBeInstanceOf(Array);
    expect(pieces.join().length).toBe(0);
  });
});

describe('a thread that ends', () => {
  it('because of missing memory refuses one body, and another one is read', async () => {
    const reader = open({ memoryMb: 16 });
    const large = `[${'{"a":"é\\u2028"},'.repeat(49_000)}0]`;
    const huge = JSON.stringify(Array.from({ length: 50 }, () => `${'x'.repeat(MEGABYTE)}\u2028`));
    const refused = await refusalOf(reader.read(toBody(huge)));
    expect(refused).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(await reader.read(toBody(large, MANY))).toHaveLength(49_001);
  });

  it('because of the time limit refuses one body', async () => {
    const refused = await refusalOf(open({ timeoutMs: 1 }).read(toBody('[]', MANY)));
    expect(refused).toEqual({
      status: 503,
      code: 'body_not_read',
      detail: 'The body could not be read; send it again',
    });
  });

  it('with the server refuses the bodies that it had', async () => {
    const reader = open();
    const refused = refusalOf(reader.read(toBody('[]', MANY)));
    await reader.close();
    expect(await refused).toMatchObject({ status: 503, code: 'server_stopping' });
  });
});

it('writes long answers as short ones are written', async () => {
  const value = { text: '\u0001é\ud800😀\u2028"'.repeat(100_000), list: [1, null], left: undefined };
  expect(String(await open().print(value, 'ada'))).toBe(JSON.stringify(value));
});

it('reads nothing for a disconnected client', async () => {
  const reader = open();
  const leaving = new AbortController();
  const first = reader.read(toBody('[1]', MANY));
  const second = refusalOf(reader.read(toBody('[2]', { ...MANY, signal: leaving.signal })));
  leaving.abort();
  expect(await second).toMatchObject({ status: 400 });
  expect(await first).toEqual([1]);
});
