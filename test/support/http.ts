import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { expect } from 'vitest';

/** A complete answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed JSON of the body; undefined without a body. */
  readonly body: unknown;
}

/** A request without its address. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Strings and bytes are sent unchanged; anything else as JSON. */
  readonly body?: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Sends a request whose target is literal: nothing in it is encoded or resolved. */
export async function send(
  url: string,
  method: string,
  target: string,
  { headers = {}, body }: Sending = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = isRaw ? body : JSON.stringify(body);
  const type = bytes === undefined ? {} : { 'content-type': 'application/json' };
  const length = bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) };
  const outgoing = request({
    agent,
    hostname,
    port,
    method,
    path: target,
    headers: { ...type, ...length, ...(headers as Record<string, string | string[]>) },
  });
  outgoing.on('error', () => undefined);
  outgoing.end(bytes);
  const [incoming] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = /^application\/(scim\+)?json\b/.test(incoming.headers['content-type'] ?? '') && text !== '';
  return {
    status: incoming.statusCode,
    headers: incoming.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/**
 * Writes bytes to a new connection and reads until the server closes it or `isEnough` accepts the received
 * text.
 */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
  isEnough: (text: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes);
  let text = '';
  try {
    for await (const chunk of socket.setEncoding('utf8')) {
      text += chunk;
      if (isEnough(text)) break;
    }
  } finally {
    socket.destroy();
  }
  return text;
}

/** Sends one request with a target that Node's client refuses to send, and reads the answer. */
export async function sendTarget(
  url: string,
  token: string,
  method: string,
  target: string,
): Promise<Answer> {
  const text = await sendRaw(
    url,
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
  );
  return parseAnswer(text);
}

/** The answer on a connection that the server closed after it. */
export function parseAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const content = text.slice(end + 4);
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text: content,
    body: content === '' ? undefined : JSON.parse(content),
  };
}

/** Expects a failure with a complete body (docs/reference/http-api.md#failures), and a detail. */
export function expectRefusal(answer: Answer, status: number, detail: unknown): void {
  expect({ status: answer.status, detail: (answer.body as ErrorBody | undefined)?.detail }).toEqual({
    status,
    detail,
  });
  expectErrorBody(answer);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

interface ErrorBody {
  readonly detail: string;
  readonly code: string;
  readonly hints?: readonly string[];
  /** Absent without publications. */
  readonly targets?: readonly object[];
}

/**
 * Expects the body of a failure to be complete: the message is the first line of the detail, and the code is
 * documented.
 */
export function expectErrorBody({
  status,
  headers,
  body,
}: Pick<Answer, 'status' | 'headers' | 'body'>): void {
  const { hints = ['A sentence'], targets, ...others } = body as ErrorBody;
  expect(targets).not.toEqual([]);
  expect(others).toEqual({
    message: firstLineOf(others.detail),
    detail: expect.stringMatching(/./),
    code: others.code,
    request_id: headers['x-request-id'],
  });
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect({ code: others.code, statuses: listErrorCodes().get(others.code) }).toEqual({
    code: others.code,
    statuses: expect.arrayContaining([status]),
  });
  for (const hint of hints) expect(hint).toMatch(/^[A-Z`]./);
}

/** At most 500 characters, without half of a surrogate pair. */
function firstLineOf(detail: string): string {
  const line = detail.split(/[\r\n]/)[0]!;
  const isSplit = /[\ud800-\udbff]$/.test(line.slice(0, 500)) && /^[\udc00-\udfff]/.test(line.slice(500));
  return line.slice(0, isSplit ? 499 : 500);
}

let errorCodes: ReadonlyMap<string, readonly number[]> | undefined;

/** The documented codes, with their statuses. */
export function listErrorCodes(): ReadonlyMap<string, readonly number[]> {
  const folder = path.join(import.meta.dirname, '../../docs/reference');
  errorCodes ??= new Map(
    globSync('errors*.md', { cwd: folder })
      .flatMap((page) => [...readFileSync(path.join(folder, page), 'utf8').matchAll(CODE_ROW)])
      .map(([, code, statuses]) => [code!, statuses!.split(', ').map(Number)]),
  );
  return errorCodes;
}

const CODE_ROW = /^\| `(\w+)` \| ([\d, ]+) \|/gm;

/** An item of an answer (docs/reference/http-catalog.md#items); `data` is not in every answer. */
export interface Item {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly description?: string;
  readonly data?: { readonly content?: string };
  readonly created_at: string;
  readonly updated_at: string;
}

/** The kinds of items, as in the routes. */
export type Kind = 'folders' | 'assets';

/** A user of the catalog; paths are given without encoding, and encoded here. */
export interface Client {
  /** Below `/api/v1`. */
  send(method: string, target: string, sending?: Sending): Promise<Answer>;
  list(path: string): Promise<Answer>;
  read(path: string): Promise<Answer>;
  create(kind: Kind, body: unknown): Promise<Answer>;
  update(kind: Kind, path: string, ifMatch: string | undefined, body: unknown): Promise<Answer>;
  remove(kind: Kind, path: string, ifMatch: string | undefined): Promise<Answer>;
  /** Creates something, expects success, and returns its path. */
  make(kind: Kind, path: string, fields?: Readonly<Record<string, unknown>>): Promise<string>;
  /** All readable items below a folder, with their ETags: two lists are equal when nothing has changed. */
  readTree(path: string): Promise<readonly unknown[]>;
}

/** The client of a token; without one it sends no token. */
export function createClient(url: string, token?: string): Client {
  const sign = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const sendTo: Client['send'] = (method, target, { headers, body } = {}) =>
    send(url, method, `/api/v1${target}`, { headers: { ...sign, ...headers }, body });
  const match = (ifMatch: string | undefined) => ({
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  });
  const client: Client = {
    send: sendTo,
    list: (path) => sendTo('GET', `/catalog/list/${encodePath(path)}`),
    read: (path) => sendTo('GET', `/catalog/by-path/${encodePath(path)}`),
    create: (kind, body) => sendTo('POST', `/catalog/${kind}`, { body }),
    update: (kind, path, ifMatch, body) =>
      sendTo('PUT', `/catalog/${kind}/${encodePath(path)}`, { ...match(ifMatch), body }),
    remove: (kind, path, ifMatch) => sendTo('DELETE', `/catalog/${kind}/${encodePath(path)}`, match(ifMatch)),
    make: async (kind, path, fields = {}) => {
      const cut = path.lastIndexOf('/');
      const content = kind === 'assets' ? { content: 'SELECT 1' } : {};
      const body = { parent_path: path.slice(0, cut), name: path.slice(cut + 1), ...content, ...fields };
      const answer = await client.create(kind, body);
      expect(answer.status, answer.text).toBe(201);
      return path;
    },
    readTree: async (path) => {
      const { headers, body } = await client.read(path);
      const listing = await client.list(path);
      const children = listing.status === 200 ? (listing.body as { data: Item[] }).data : [];
      const below = await Promise.all(children.map((child) => client.readTree(child.path)));
      return [{ etag: headers.etag, body }, ...below.flat()];
    },
  };
  return client;
}

/** A path as a part of a URL: each segment percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Reads at least the given number of bytes, and only bytes that arrived with them. */
export async function readSome(incoming: IncomingMessage, bytes: number): Promise<void> {
  for (let read = 0; read < bytes; ) {
    const chunk: Buffer | null = incoming.read();
    if (chunk === null) await once(incoming, 'readable');
    else read += chunk.length;
  }
}
