import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explainFileError } from '../../../errors/explain-file-error.ts';
import { notNull } from '../../../invariants/must.ts';
import { isRecord } from '../../../invariants/narrow.ts';
import { type Connection, DatabaseError, type PublishedName } from '../../connection/contract/connection.ts';
import { readTexts } from '../../connection/contract/run-inner.ts';
import { settlePublication } from '../../script/evaluate/evaluate.ts';
import { type Graph, printNode } from '../../script/graph/graph.ts';
import { hashTarget } from '../../script/graph/hash-target.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  findPublicationSpan,
} from '../../script/program/program.ts';
import type { RunContext } from '../../script/values/scope.ts';
import type { Warn } from '../../text/diagnostic.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';

/** The table with the state of the targets of its schema. */
const STATE_TABLE = 'quern_build';
/** The same for published files, in their folder. */
const STATE_FILE = '.quern_build.json';
/** Stands for the hash of a file that is due. */
const DUE = '';
/** Rows of one target after which its older rows are deleted. */
const MAX_ROWS = 8;

interface StateOptions {
  readonly graph: Graph;
  readonly context: RunContext;
  readonly lexicalRules: LexicalRules;
  /** The folder for published files. */
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly warn: Warn;
}

/** The last row of a target: the hash of what was published, or null while it is due. */
interface TargetState {
  readonly hash: string | null;
  readonly seq: number;
}

/** The state table of a schema; `isKept` is false where it cannot be read or written. */
interface SchemaState {
  readonly table: string;
  readonly name: PublishedName;
  readonly targets: Map<string, TargetState>;
  /** The targets with many rows. */
  readonly long: string[];
  exists: boolean;
  isKept: boolean;
}

/**
 * Keeps the state of targets: the hash of the last publication (docs/reference/build.md#changed). Each publication adds a
 * row to the table `quern_build` in the schema of its target, with a number instead of a time, because clocks go back; the
 * row with the highest one counts.
 */
export class BuildState {
  readonly #options: StateOptions;
  readonly #schemas = new Map<string, Promise<SchemaState>>();
  /** Whether the state of files can be written. */
  #keepsFiles = true;

  constructor(options: StateOptions) {
    this.#options = options;
  }

  /** Whether a target does not exist, differs from what was published last, or is due since a build that did not reach it. */
  async isChanged(block: BlockDefinition, connection: Connection): Promise<boolean> {
    const { context, directory, signal } = this.#options;
    const { path: file, schema, name } = notNull(settlePublication(block, context));
    if (file !== null) {
      return this.#readFiles()[file] !== this.#hash(block) || !existsSync(path.resolve(directory, file));
    }
    const target = await connection.publishing.resolve(schema, notNull(name), signal);
    const { targets } = await this.#openSchema(target, block, connection);
    if (targets.get(target.name)?.hash !== this.#hash(block)) return true;
    return (await connection.publishing.find(target, signal)) === null;
  }

  /** Whether a build has published a target. */
  async isKnown(block: BlockDefinition, target: PublishedName, connection: Connection): Promise<boolean> {
    return (await this.#openSchema(target, block, connection)).targets.has(target.name);
  }

  /** Marks targets as due, before the first of them is published. */
  async mark(blocks: readonly BlockDefinition[], connection: Connection): Promise<void> {
    const { context, signal } = this.#options;
    const bySchema = new Map<SchemaState, [BlockDefinition, string][]>();
    const files = new Map<string, BlockDefinition>();
    for (const block of blocks) {
      const { path: file, schema, name } = notNull(settlePublication(block, context));
      if (file !== null) {
        files.set(file, block);
        continue;
      }
      const target = await connection.publishing.resolve(schema, notNull(name), signal);
      const state = await this.#openSchema(target, block, connection);
      bySchema.set(state, [...(bySchema.get(state) ?? []), [block, target.name]]);
    }
    const [[, first] = []] = files;
    if (first !== undefined) {
      this.#writeFiles(first, (states) => {
        for (const file of files.keys()) states[file] = DUE;
      });
    }
    for (const [state, targets] of bySchema) await this.#markIn(state, targets, connection);
  }

  /** The statement that notes the publication of a marked target, for its transaction; null where no state is kept. */
  async printNote(
    block: BlockDefinition,
    target: PublishedName,
    connection: Connection,
  ): Promise<string | null> {
    const state = await this.#openSchema(target, block, connection);
    if (!state.isKept || !state.exists) return null;
    return this.#printInsert(state, [[block, target.name]], this.#hash(block));
  }

  /** Notes the publication of a file. */
  noteFile(block: BlockDefinition, file: string): void {
    this.#writeFiles(block, (states) => {
      states[file] = this.#hash(block);
    });
  }

  /**
   * Notes a publication outside of builds, if an earlier build has noted the target. In a transaction of the user, which
   * can still be rolled back, nothing is noted.
   */
  async noteKnown(block: BlockDefinition, connection: Connection): Promise<void> {
    const { context, signal } = this.#options;
    if (connection.inTransaction) return;
    const { path: file, schema, name } = notNull(settlePublication(block, context));
    if (file !== null) {
      if (file in this.#readFiles()) this.noteFile(block, file);
      return;
    }
    const target = await connection.publishing.resolve(schema, notNull(name), signal);
    const state = await this.#openSchema(target, block, connection);
    if (!state.targets.has(target.name)) return;
    const statement = await this.printNote(block, target, connection);
    if (statement !== null) await this.#try(state, block, () => this.#run(statement, connection));
  }

  async #markIn(
    state: SchemaState,
    targets: readonly [BlockDefinition, string][],
    connection: Connection,
  ): Promise<void> {
    const [[first] = []] = targets;
    if (first === undefined || !state.isKept) return;
    await this.#try(state, first, async () => {
      if (!state.exists) await this.#create(state, connection);
      state.exists = true;
      await this.#run(this.#printInsert(state, targets, null), connection);
    });
    if (state.isKept && state.long.length > 0) await this.#deleteOld(state, connection);
  }

  /** Creates the table, and its schema if that is missing. */
  async #create({ name }: SchemaState, connection: Connection): Promise<void> {
    const { context, signal } = this.#options;
    const text = nameTextType(context);
    const columns = ['target', 'block', 'hash'].map((column) => `CAST(NULL AS ${text}) AS ${column}`);
    const query = `SELECT * FROM (SELECT ${columns.join(', ')}, 0 AS seq) AS state WHERE 1 = 0`;
    await connection.publishing.replaceTable(name, query, { primary: [], unique: [] }, signal);
  }

  #printInsert(
    { table, targets }: SchemaState,
    rows: readonly [BlockDefinition, string][],
    hash: string | null,
  ): string {
    const { quoteText } = this.#options.context.dialect;
    const values = rows.map(([block, name]) => {
      const seq = (targets.get(name)?.seq ?? 0) + 1;
      targets.set(name, { hash, seq });
      const texts = [name, printNode(block), hash].map((text) => (text === null ? 'NULL' : quoteText(text)));
      return `(${texts.join(', ')}, ${seq})`;
    });
    return `INSERT INTO ${table} (target, block, hash, seq) VALUES ${values.join(', ')}`;
  }

  #openSchema(target: PublishedName, block: BlockDefinition, connection: Connection): Promise<SchemaState> {
    const key = `${target.database}\0${target.schema}`;
    const opened = this.#schemas.get(key) ?? this.#readSchema(target, block, connection);
    this.#schemas.set(key, opened);
    return opened;
  }

  async #readSchema(
    target: PublishedName,
    block: BlockDefinition,
    connection: Connection,
  ): Promise<SchemaState> {
    const { context, signal } = this.#options;
    const { printName } = context.dialect;
    const name = { ...target, name: STATE_TABLE };
    const table = `${printName(target.schema)}.${STATE_TABLE}`;
    const state: SchemaState = { table, name, targets: new Map(), long: [], exists: false, isKept: true };
    await this.#try(state, block, async () => {
      state.exists = (await connection.publishing.find(name, signal)) !== null;
      if (!state.exists) return;
      const seq = `CAST(seq AS ${nameTextType(context)})`;
      const rows = await readTexts(
        await connection.run(`SELECT target, hash, ${seq} AS seq FROM ${table}`, signal),
      );
      const byTarget = Map.groupBy(rows, ([written]) => String(written));
      for (const [written, own] of byTarget) state.targets.set(written, findLast(own));
      state.long.push(
        ...[...byTarget].filter(([, own]) => own.length > MAX_ROWS).map(([written]) => written),
      );
    });
    return state;
  }

  /** A database that deletes no rows keeps the old ones. */
  async #deleteOld({ table, targets, long }: SchemaState, connection: Connection): Promise<void> {
    const { quoteText } = this.#options.context.dialect;
    const conditions = long.map(
      (name) => `(target = ${quoteText(name)} AND seq < ${targets.get(name)?.seq})`,
    );
    try {
      await this.#run(`DELETE FROM ${table} WHERE ${conditions.join(' OR ')}`, connection);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code === 'cancelled') throw error;
    }
  }

  async #run(statement: string, connection: Connection): Promise<void> {
    const { physicalConnection = connection } = connection;
    await physicalConnection.run(statement, this.#options.signal);
  }

  /** A state that cannot be kept changes no publication: its targets count as changed. */
  async #try(state: SchemaState, block: BlockDefinition, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code === 'cancelled') throw error;
      state.isKept = false;
      state.targets.clear();
      this.#warnOf(block, state.table, error.message);
    }
  }

  #warnOf(block: BlockDefinition, place: string, reason: string): void {
    const message = `the state of targets cannot be kept in \`${place}\`, so they count as changed: ${reason}`;
    const span = findPublicationSpan(block, null);
    this.#options.warn(createScriptDiagnostic(block.file.file, span, message, 'publication', 'warning'));
  }

  #hash(block: BlockDefinition): string {
    const { graph, context, lexicalRules } = this.#options;
    return hashTarget(graph, block, context, lexicalRules);
  }

  #readFiles(): Record<string, string> {
    try {
      const states: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      if (!isRecord(states)) return {};
      return Object.fromEntries(Object.entries(states).map(([file, hash]) => [file, String(hash)]));
    } catch {
      return {};
    }
  }

  #writeFiles(block: BlockDefinition, change: (states: Record<string, string>) => void): void {
    if (!this.#keepsFiles) return;
    const states = this.#readFiles();
    change(states);
    const unfinished = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(unfinished, `${JSON.stringify(states, null, 2)}\n`);
      renameSync(unfinished, this.#file);
    } catch (error) {
      this.#keepsFiles = false;
      rmSync(unfinished, { force: true });
      this.#warnOf(block, STATE_FILE, explainFileError(error));
    }
  }

  get #file(): string {
    return path.join(this.#options.directory, STATE_FILE);
  }
}

/** The type of a column of texts in a cast. */
function nameTextType({ dialect }: RunContext): string {
  return dialect.name === 'mysql' ? 'CHAR(255)' : 'VARCHAR';
}

/** The state by the rows of a target; it is due if two runs have written different hashes at the same time. */
function findLast(rows: readonly (readonly unknown[])[]): TargetState {
  const seq = Math.max(...rows.map(([, , number]) => Number(number)));
  const hashes = new Set(rows.filter(([, , number]) => Number(number) === seq).map(([, hash]) => hash));
  const [hash] = hashes;
  return { hash: hashes.size === 1 && typeof hash === 'string' ? hash : null, seq };
}
