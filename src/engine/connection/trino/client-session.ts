import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { DatabaseError } from '../contract/connection.ts';

/** The place where names of a session belong to; read by publications and stored relations. */
export interface TrinoState {
  readonly catalog: string | null;
  readonly schema: string | null;
  /** Where rows of blocks are stored; null if the connection names no such schema. */
  readonly scratch: { readonly catalog: string; readonly schema: string } | null;
  readonly inTransaction: boolean;
}

/** The settings with which a session starts. */
export interface SessionSettings {
  readonly user: string;
  readonly catalog: string | null;
  readonly schema: string | null;
  readonly scratch: TrinoState['scratch'];
  readonly timeZone: string;
  /** Each is a list of `name=value`, whose values are encoded as in an address. */
  readonly properties: readonly string[];
  readonly roles: readonly string[];
  readonly credentials: readonly string[];
  readonly tags: readonly string[];
}

const LATIN = /^[\t\x20-\x7e\xa0-\xff]*$/;
/** What the server offers only to clients that say that they can handle it. */
const CAPABILITIES = 'PARAMETRIC_DATETIME,PATH,SESSION_AUTHORIZATION';
/** Maximum characters of all headers: servers have a limit, from 8 KB on, and prepared statements are headers. */
const MAX_HEADERS = 1024 * 1024;

/**
 * The state of a session, which a Trino server does not keep: each answer says what has changed, and each statement
 * sends it again.
 */
export class ClientSession implements TrinoState {
  readonly #start: SessionSettings;
  readonly scratch: TrinoState['scratch'];
  readonly #properties: Map<string, string>;
  readonly #roles: Map<string, string>;
  readonly #prepared = new Map<string, string>();
  #user: string;
  #catalog: string | null;
  #schema: string | null;
  #path: string | null = null;
  #transaction: string | null = null;
  #hasFailed = false;

  constructor(start: SessionSettings) {
    this.#start = start;
    this.#user = start.user;
    this.#catalog = start.catalog;
    this.#schema = start.schema;
    this.scratch = start.scratch;
    this.#properties = new Map(start.properties.map(splitPair));
    this.#roles = new Map(start.roles.map(splitPair));
  }

  get catalog(): string | null {
    return this.#catalog;
  }

  get schema(): string | null {
    return this.#schema;
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  /** Whether the open transaction only accepts its end. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Keeps what the error of a statement means for its transaction. */
  noticeFailure(errorName: string | undefined): void {
    if (errorName === 'UNKNOWN_TRANSACTION') this.#transaction = null;
    // A statement that the server cannot parse does not reach the transaction.
    else if (errorName !== 'SYNTAX_ERROR') this.#hasFailed = this.inTransaction;
  }

  /** The same settings without the transaction, for statements that run next to those of the session. */
  fork(): ClientSession {
    const fork = new ClientSession({ ...this.#start, roles: joinPairs(this.#roles) });
    fork.#user = this.#user;
    fork.#catalog = this.#catalog;
    fork.#schema = this.#schema;
    change(fork.#properties, joinPairs(this.#properties), []);
    return fork;
  }

  /** The user as a header. */
  get userHeader(): string {
    return toHeader(this.#user);
  }

  /** The headers of a statement. Throws a DatabaseError if they are too long. */
  print(): OutgoingHttpHeaders {
    const { user, timeZone, credentials, tags } = this.#start;
    const headers: OutgoingHttpHeaders = {
      'x-trino-user': toHeader(this.#user),
      'x-trino-source': 'quern',
      'x-trino-client-capabilities': CAPABILITIES,
      'x-trino-time-zone': timeZone,
      // Without this header, the server refuses START TRANSACTION.
      'x-trino-transaction-id': this.#transaction ?? 'NONE',
    };
    if (this.#user !== user) headers['x-trino-original-user'] = toHeader(user);
    if (this.#catalog !== null) headers['x-trino-catalog'] = toHeader(this.#catalog);
    if (this.#schema !== null) headers['x-trino-schema'] = toHeader(this.#schema);
    if (this.#path !== null) headers['x-trino-path'] = toHeader(this.#path);
    if (tags.length > 0) headers['x-trino-client-tags'] = toHeader(tags.join(','));
    const lists = {
      'x-trino-session': joinPairs(this.#properties),
      'x-trino-role': joinPairs(this.#roles),
      'x-trino-prepared-statement': joinPairs(this.#prepared),
      'x-trino-extra-credential': credentials,
    };
    for (const [name, list] of Object.entries(lists)) if (list.length > 0) headers[name] = [...list];
    checkLength(headers);
    return headers;
  }

  /** Keeps what an answer says about the session. */
  notice(headers: IncomingHttpHeaders): void {
    const read = (name: string) => splitHeader(headers[`x-trino-${name}`]);
    const readOne = (name: string) => headers[`x-trino-${name}`]?.toString();
    this.#catalog = readOne('set-catalog') ?? this.#catalog;
    this.#schema = readOne('set-schema') ?? this.#schema;
    this.#path = readOne('set-path') ?? this.#path;
    change(this.#properties, read('set-session'), read('clear-session'));
    change(this.#roles, read('set-role'), []);
    change(this.#prepared, read('added-prepare'), read('deallocated-prepare'));
    this.#transaction = readOne('started-transaction-id') ?? this.#transaction;
    if (readOne('clear-transaction-id') !== undefined) this.#transaction = null;
    this.#hasFailed &&= this.inTransaction;
    this.#noticeUser(readOne('set-authorization-user'), readOne('reset-authorization-user'));
  }

  /** The roles of one user mean nothing for another. */
  #noticeUser(user: string | undefined, reset: string | undefined): void {
    if (user === undefined && reset === undefined) return;
    this.#user = user ?? this.#start.user;
    this.#roles.clear();
    if (user === undefined) change(this.#roles, this.#start.roles, []);
  }
}

function splitHeader(value: string | string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  const texts = typeof value === 'string' ? value.split(',') : value;
  return texts.map((text) => text.trim());
}

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function joinPairs(pairs: ReadonlyMap<string, string>): readonly string[] {
  return [...pairs].map(([name, value]) => `${name}=${value}`);
}

function change(pairs: Map<string, string>, set: readonly string[], clear: readonly string[]): void {
  for (const [name, value] of set.map(splitPair)) pairs.set(name, value);
  for (const name of clear) pairs.delete(name);
}

/** The server reads headers as Latin-1. Throws a DatabaseError for other characters. */
function toHeader(text: string): string {
  if (LATIN.test(text)) return text;
  const message = `Trino reads the user, the catalog, the schema and the tags of a session as Latin-1, which lacks a character of "${text}".`;
  throw new DatabaseError('sql', message);
}

function checkLength(headers: OutgoingHttpHeaders): void {
  const total = Object.values(headers).flat().join('').length;
  if (total <= MAX_HEADERS) return;
  const message = `The settings and prepared statements of the session are longer than ${MAX_HEADERS} characters: DEALLOCATE PREPARE what is no longer needed.`;
  throw new DatabaseError('sql', message);
}
