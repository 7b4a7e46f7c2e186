import { createHash } from 'node:crypto';
import { type Connection, DatabaseError, type PublishedName } from '../../connection/contract/connection.ts';
import { printNode } from '../../script/graph/graph.ts';
import { type BlockDefinition, createScriptDiagnostic } from '../../script/program/program.ts';
import type { Warn } from '../../text/diagnostic.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import { StatementError } from '../outcome/statement-error.ts';
import { MAX_KEPT_ROWS } from '../outcome/test-report.ts';

/** Characters of a table's name before its hash. */
const MAX_NAME = 45;
const HASH_DIGITS = 6;

export interface FailureStoreOptions {
  /** The schema of the tables. */
  readonly schema: string;
  readonly connection: Connection;
  readonly dialect: SqlDialect;
  readonly signal: AbortSignal;
  readonly warn: Warn;
}

/** Keeps the wrong rows of tests as tables (docs/reference/testing.md#wrong-rows-as-tables). */
export class FailureStore {
  readonly #options: FailureStoreOptions;

  constructor(options: FailureStoreOptions) {
    this.#options = options;
  }

  /** Replaces the table of a test with the rows of a query; resolves with its name, or null after a warning. */
  async keep(test: BlockDefinition, query: string): Promise<string | null> {
    const { connection, signal } = this.#options;
    return this.#tryOn(test, async (target) => {
      const limited = `SELECT * FROM (\n${query}\n) AS wrong LIMIT ${MAX_KEPT_ROWS}`;
      await connection.publishing.replaceTable(target, limited, { primary: [], unique: [] }, signal);
      return this.#print(target);
    });
  }

  /** Drops the table of a test that has passed. */
  async drop(test: BlockDefinition): Promise<void> {
    const { connection, signal } = this.#options;
    await this.#tryOn(test, async (target) => {
      if ((await connection.publishing.find(target, signal)) !== 'table') return null;
      await connection.run(`DROP TABLE ${this.#print(target)}`, signal);
      return null;
    });
  }

  /** A table that cannot be written changes no verdict. */
  async #tryOn(
    test: BlockDefinition,
    work: (target: PublishedName) => Promise<string | null>,
  ): Promise<string | null> {
    const { connection, schema, signal, warn } = this.#options;
    try {
      const { refusal } = connection.publishing;
      if (refusal !== undefined) throw refusal;
      return await work(await connection.publishing.resolve(schema, nameTable(test), signal));
    } catch (error) {
      const cause = error instanceof StatementError ? error.cause : error;
      if (!(cause instanceof DatabaseError) || cause.code === 'cancelled') throw error;
      const { declaration, file } = test;
      const message = `the wrong rows of this test could not be kept: ${cause.message}`;
      const at = declaration.name ?? declaration;
      warn(createScriptDiagnostic(file.file, at, message, 'publication', 'warning'));
      return null;
    }
  }

  #print({ schema, name }: PublishedName): string {
    const { printName } = this.#options.dialect;
    return `${printName(schema)}.${printName(name)}`;
  }
}

/** The name of a test's table: readable, short enough for each database, and of this test alone. */
function nameTable(test: BlockDefinition): string {
  const readable = test.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_NAME)
    .replace(/^_+|_+$/g, '');
  const hash = createHash('sha256').update(printNode(test)).digest('hex').slice(0, HASH_DIGITS);
  return `${readable || 'test'}_${hash}`;
}
