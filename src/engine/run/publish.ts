import path from 'node:path';
import type { Connection, PublishedName } from '../connection/connection.ts';
import { evaluatePublication, settleDefaults } from '../script/evaluate.ts';
import { isPublished } from '../script/list-dependencies.ts';
import {
  type BlockDefinition,
  createFault,
  findPublicationSpan,
  listBlocks,
  type Program,
} from '../script/program.ts';
import { type Publication, PublicationError, printTarget } from '../script/publication.ts';
import type { Request } from '../script/request.ts';
import { createScope, type RunContext } from '../script/scope.ts';
import type { Statement } from '../script/steps.ts';
import type { Value } from '../script/value.ts';
import type { BlockRunner } from './block-runner.ts';
import { orderPublications } from './publication-order.ts';
import { openPublishedFile } from './publish-file.ts';
import type { PublishLocks } from './publish-locks.ts';

export interface PublishOptions {
  readonly connection: Connection;
  readonly program: Program;
  readonly context: RunContext;
  readonly runner: BlockRunner;
  readonly signal: AbortSignal;
  /** The folder below which files are published. */
  readonly directory: string;
  readonly locks: PublishLocks;
  /** What the targets' names are unique in. */
  readonly database: string;
}

type PublishRequest = Extract<Request, { kind: 'publish' }>;

/**
 * Publishes the blocks of a request, each after those that it reads (language 6, 7). Rejects with a
 * DiagnosticError or a StatementError; what was published before stays, the target at fault is as it was.
 */
export async function publish(request: PublishRequest, options: PublishOptions): Promise<void> {
  const { program } = options;
  const inPackages = request.packages.flatMap((owner) =>
    owner.files.flatMap((file) => listBlocks(owner, file)),
  );
  const named = request.blocks.map((block) => {
    if (isPublished(block)) return block;
    throw createFault(
      request.site.file.file,
      request.site,
      `the block \`${block.name}\` has no \`:publication\``,
    );
  });
  const wanted = [...inPackages.filter((block) => block.kind === 'block' && isPublished(block)), ...named];
  for (const block of orderPublications(program, wanted, request.site)) {
    await new BlockPublisher(block, options, request.fullRefresh).publish();
  }
}

class BlockPublisher {
  readonly #block: BlockDefinition;
  readonly #options: PublishOptions;
  readonly #fullRefresh: boolean;
  readonly #args: ReadonlyMap<string, Value>;
  readonly #publication: Publication;

  constructor(block: BlockDefinition, options: PublishOptions, fullRefresh: boolean) {
    this.#block = block;
    this.#options = options;
    this.#fullRefresh = fullRefresh;
    this.#args = settleDefaults(block, options.context);
    this.#publication = evaluatePublication(block, createScope(options.context, block, this.#args))!;
  }

  async publish(): Promise<void> {
    const { connection, locks, database, signal, directory } = this.#options;
    const { path: file, type, schema, name } = this.#publication;
    if (file !== null) {
      return locks.hold(path.resolve(directory, file), signal, () => this.#publishFile());
    }
    const target = await connection.publishing.resolve(schema, name!, signal);
    const lock = [database, target.database, target.schema, target.name].join('\0').toLowerCase();
    await locks.hold(lock, signal, () => {
      return type === 'view' ? this.#publishView(target) : this.#publishTable(target);
    });
  }

  async #publishFile(): Promise<void> {
    const { connection, signal, directory } = this.#options;
    const file = this.#locate(() => openPublishedFile(this.#publication, directory));
    try {
      await this.#withQuery(null, (query) => file.write(connection, query.sql, signal));
      this.#locate(() => file.keep());
    } finally {
      file.discard();
    }
  }

  async #publishView(target: PublishedName): Promise<void> {
    const { connection, runner, signal } = this.#options;
    const { start, end } = this.#block.declaration;
    const site = { file: this.#block.file, start, end };
    const query = runner.inline({ block: this.#block, args: this.#args, site });
    const temporary = await runner.findTemporary(query);
    if (temporary !== null) {
      throw this.#fault(`a published view may not read \`${temporary}\`, which is temporary`);
    }
    await runner.locate(query, () => connection.publishing.replaceView(target, query.sql, signal));
  }

  async #publishTable(target: PublishedName): Promise<void> {
    const { connection, context, runner, signal } = this.#options;
    const { incremental, primaryKey, uniqueKey, updateOnChangesIn } = this.#publication;
    const exists = (await connection.publishing.find(target, signal)) === 'table';
    const isLater = incremental !== null && exists && !this.#fullRefresh;
    const scope = { target: printTarget(this.#publication, context.dialect), incremental: isLater };
    await this.#withQuery(scope, async ({ sql }) => {
      await runner.freeze();
      const { publishing } = connection;
      if (!isLater)
        return publishing.replaceTable(target, sql, { primary: primaryKey, unique: uniqueKey }, signal);
      if (incremental === 'append') return publishing.append(target, sql, signal);
      const changes = incremental === 'merge_conditionally' ? updateOnChangesIn : null;
      return publishing.merge(target, sql, { key: uniqueKey, changes }, signal);
    });
  }

  /** Runs the block up to its query, and gives that to `use`. */
  async #withQuery(
    publication: { readonly target: string; readonly incremental: boolean } | null,
    use: (query: Statement) => Promise<void>,
  ): Promise<void> {
    const { runner } = this.#options;
    await runner.isolate(async () => {
      const { last, relations } = await runner.walk(
        this.#block,
        this.#args,
        (own) => runner.execute(own),
        publication,
      );
      if (last === null) {
        throw this.#fault(`the block \`${this.#block.name}\` has no statement, and so nothing to publish`);
      }
      await runner.locate(last, () => use(last));
      await runner.drop(relations);
    });
  }

  /** Puts the place to what is wrong in the metadata. */
  #locate<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof PublicationError ? this.#fault(error.message, error.key) : error;
    }
  }

  #fault(message: string, key: string | null = null): Error {
    return createFault(this.#block.file.file, findPublicationSpan(this.#block, key), message);
  }
}
