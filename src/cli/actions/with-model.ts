import { existsSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { ModelTarget, SemanticApi } from '../../workspace/api/semantic-api.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { ModelOptions } from '../table/semantic-commands.ts';
import { refuseUser } from './refuse-user.ts';
import { withWorkspace } from './with-workspace.ts';

type Ask<T> = (semantic: SemanticApi, principal: Principal, target: ModelTarget) => T | Promise<T>;

/** Without rights: models on disk are read without a home and its users. */
const NO_USER: Principal = { userId: '', userName: '', superUser: false, viewsOnly: true };

/**
 * Runs `use` with the model called `name`. It is a model on disk, which needs no home, if the name has a slash,
 * the ending of a model file, or exists on disk; else the model of a connection. Throws a UsageError, and an InputError
 * for a model with errors.
 */
export function withModel<T>(
  context: CliContext,
  name: string,
  { layer }: Pick<ModelOptions, 'layer'>,
  use: Ask<T>,
): Promise<T> {
  if (isOnDisk(context, name)) return askDisk(context, name, layer, use);
  return askConnection(context, name, layer, use);
}

/** Like `withModel`, for the model of `--model`, of `--connection`, or of the default semantic connection. */
export function withChosenModel<T>(
  context: CliContext,
  { model, connection, layer }: ModelOptions,
  use: Ask<T>,
): Promise<T> {
  if (model === undefined) {
    return askConnection(context, connection, layer, use);
  }
  if (connection !== undefined) throw new UsageError('choose one of --model and --connection');
  return askDisk(context, model, layer, use);
}

/** Like `withChosenModel`, for a semantic query that runs: a model on disk also needs a home then. */
export function withRunningModel<T>(context: CliContext, options: ModelOptions, use: Ask<T>): Promise<T> {
  const { model, layer } = options;
  if (model === undefined || options.connection !== undefined) {
    return withChosenModel(context, options, use);
  }
  return withWorkspace(context, async (workspace) =>
    use(await workspace.openSemantic(), workspace.principal, toDiskTarget(context, model, layer)),
  );
}

/** Names of connections have no slash; a name with a file ending is a file, not a mistyped connection. */
function isOnDisk({ cwd }: CliContext, name: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/i.test(name) || existsSync(path.resolve(cwd, name));
}

async function askDisk<T>(
  context: CliContext,
  name: string,
  layer: string | undefined,
  use: Ask<T>,
): Promise<T> {
  refuseUser(context, 'models on disk are read without a home; connections take it');
  const { openDiskModels } = await import('../../workspace/models/local-models.ts');
  return use(openDiskModels(), NO_USER, toDiskTarget(context, name, layer));
}

function toDiskTarget({ cwd }: CliContext, path: string, layer: string | undefined): ModelTarget {
  return { kind: 'disk', path, cwd, key: layer };
}

function askConnection<T>(
  context: CliContext,
  name: string | undefined,
  layer: string | undefined,
  use: Ask<T>,
): Promise<T> {
  if (layer !== undefined) throw new UsageError('--layer is for models on disk: a connection has its own');
  return withWorkspace(context, async (workspace) => {
    const semantic = await workspace.openSemantic();
    try {
      return await use(semantic, workspace.principal, { kind: 'connection', name });
    } catch (error) {
      throw nameConnection(error, name);
    }
  });
}

/** Adds the name to the error for a connection that does not exist; its text over HTTP is without a name. */
function nameConnection(error: unknown, name: string | undefined): unknown {
  const isUnnamed = error instanceof ServiceError && error.detail === 'Connection not found';
  if (!isUnnamed || name === undefined) return error;
  const advice = error.hint ?? '`quern connection ls` lists the connections';
  return new UsageError(`Connection not found: ${name}`, EXIT.failed, advice);
}
