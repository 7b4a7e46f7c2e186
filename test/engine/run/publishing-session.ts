import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Connection } from '../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../src/engine/connection/drivers.ts';
import { FORMATS } from '../../../src/engine/result/formats.ts';
import { createAnswer } from '../../../src/engine/run/outcome/answer.ts';
import { createNanoClock, startStopwatch } from '../../../src/engine/run/outcome/clock.ts';
import { createStatementCount } from '../../../src/engine/run/outcome/statement-count.ts';
import { StatementError } from '../../../src/engine/run/outcome/statement-error.ts';
import { askNoOwner } from '../../../src/engine/run/publish/ask-owner.ts';
import { createPublicationLog } from '../../../src/engine/run/publish/publication-log.ts';
import { createPublishLocks } from '../../../src/engine/run/publish/publish-locks.ts';
import { runScript } from '../../../src/engine/run/run-script.ts';
import { loadProgram } from '../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../src/engine/script/load/parse-cache.ts';
import type { Params } from '../../../src/engine/script/params/params.ts';
import { NO_ENVIRONMENT } from '../../../src/engine/script/values/environment.ts';
import { type Diagnostic, DiagnosticError } from '../../../src/engine/text/diagnostic.ts';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../src/engine/text/sql-dialect.ts';
import { makeFolder } from '../../support/quern.ts';
import { never, query } from '../connection/results.ts';

/** A package's files by their names; `main.sql` is the script that runs. A single string is `main.sql`. */
type Script = string | Readonly<Record<string, string>>;

interface PublishRun {
  readonly params?: Params;
  readonly signal?: AbortSignal;
  /** Other packages, which can all import each other by these names. */
  readonly packages?: Readonly<Record<string, Script>>;
}

export interface PublishingSession {
  readonly connection: Connection;
  publish(script: Script, run?: PublishRun): Promise<void>;
  rows(sql: string): ReturnType<typeof query>;
  close(): Promise<void>;
}

export interface Publisher {
  /** The folder for published files. */
  readonly directory: string;
  /**
   * A session with the publisher's database and locks, which ends with the test; publications can open up to `most`
   * further sessions.
   */
  open(most?: number): Promise<PublishingSession>;
  /** The content of a published file. */
  read(name: string): string;
  /** The published files, including hidden files; empty if the folder does not exist. */
  list(): readonly string[];
}

/** A new database in a file, and a folder for published files that does not exist yet. */
export async function createPublisher(): Promise<Publisher> {
  const driver = await loadDriver('duckdb');
  const folder = makeFolder();
  const directory = path.join(folder, 'published');
  const host = {
    directory,
    staging: null,
    quota: null,
    askOwner: askNoOwner,
    locks: createPublishLocks(),
    database: 'data',
  };
  const spec = { name: 'data', kind: 'duckdb', options: { file: path.join(folder, 'data.duckdb') } } as const;
  return {
    directory,
    async open(most = Number.POSITIVE_INFINITY) {
      let left = most + 1;
      const connect = async () => {
        left -= 1;
        const opened = await driver.connect({ ...spec, overrides: {} }, never);
        onTestFinished(() => opened.close());
        return opened;
      };
      const connection = await connect();
      return {
        connection,
        publish: (script, run = {}) =>
          publish(script, run, { connection, connectMore: async () => (left > 0 ? connect() : null) }, host),
        rows: (sql) => query(connection, sql),
        close: () => connection.close(),
      };
    },
    read: (name) => readFileSync(path.join(directory, name), 'utf8'),
    list: () => (existsSync(directory) ? readdirSync(directory).sort() : []),
  };
}

/** A session of a new database. */
export async function openPublishing(): Promise<PublishingSession> {
  return (await createPublisher()).open();
}

/** The diagnostics of a run, as its author sees them. */
async function readErrors(promise: Promise<unknown>): Promise<readonly Diagnostic[]> {
  const outcome = await promise.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (outcome instanceof StatementError) return [outcome.diagnostic];
  if (outcome instanceof DiagnosticError) return outcome.diagnostics;
  throw outcome;
}

/** The only error of a run: `file:line:column`, and the message. */
export async function readError(promise: Promise<unknown>): Promise<readonly [at: string, message: string]> {
  const errors = await readErrors(promise);
  if (errors.length !== 1) throw new Error(`not one error but ${errors.length}`);
  const [{ file, line, column, message }] = errors as [Diagnostic];
  return [`${file}:${line}:${column}`, message];
}

type Host = Parameters<typeof runScript>[0]['publishing'];

async function publish(
  script: Script,
  { params = {}, signal = never, packages = {} }: PublishRun,
  session: Pick<Parameters<typeof runScript>[0], 'connection' | 'connectMore'>,
  publishing: Host,
): Promise<void> {
  const answer = createAnswer(
    { write: () => {} },
    {
      createEncoder: FORMATS.json.create,
      encoder: {},
      maxRows: Number.POSITIVE_INFINITY,
      sendsAll: false,
      readStats: startStopwatch(createNanoClock()).read,
      spoolBytes: 1e9,
      spoolDirectory: path.dirname(publishing.directory),
      yieldTurn: () => undefined,
    },
  );
  try {
    await runScript({
      ...session,
      program: loadProgram(toSnapshot(script, packages), params, createParseCache()),
      file: 'main.sql',
      dialect: SQL_DIALECT.duckdb,
      lexicalRules: LEXICAL_RULES.duckdb,
      answer,
      recorder: null,
      clock: createNanoClock(),
      environment: NO_ENVIRONMENT,
      publishing,
      signal,
      warn: () => {},
      log: createPublicationLog(),
      count: createStatementCount(),
    });
  } finally {
    await answer.close();
  }
}

function toSnapshot(script: Script, packages: Readonly<Record<string, Script>>) {
  const all = Object.entries({ main: script, ...packages });
  const imports = Object.fromEntries(all.map(([name]) => [name, { kind: 'package', id: name } as const]));
  const toFiles = (own: Script) =>
    Object.entries(typeof own === 'string' ? { 'main.sql': own } : own).map(([name, text]) => ({
      name,
      text,
    }));
  return {
    needs: [{ id: 'main' }] as const,
    packages: all.map(([name, own]) => ({
      id: name,
      name: `acme/${name}`,
      files: toFiles(own),
      unreadable: [],
      imports,
    })),
  };
}
