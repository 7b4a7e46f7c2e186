import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ScriptOutcome } from '../workspace/scripts.ts';
import type { ModelTarget, SemanticApi } from '../workspace/semantic/semantic-api.ts';
import type { OptionValue } from './command.ts';
import type { CliContext } from './context.ts';
import { ScriptError } from './script-error.ts';
import { UsageError } from './usage-error.ts';
import { withWorkspace } from './with-workspace.ts';

/**
 * Lets `use` ask the model that `given` names: one on disk, which needs no home, if it has a slash or is there; else that
 * of a connection. Throws a UsageError, and a ScriptError for a model with faults.
 */
export async function withModel<T>(
  context: CliContext,
  given: string,
  layer: OptionValue,
  use: (semantic: SemanticApi, target: ModelTarget) => ScriptOutcome<T>,
): Promise<T> {
  const outcome = isOnDisk(context, given)
    ? await askDisk(context, given, layer, use)
    : await withWorkspace(context, async (workspace) => {
        if (layer !== undefined)
          throw new UsageError('--layer is for models on disk: a connection has its own');
        return use(await workspace.openSemantic(), { kind: 'connection', name: given });
      });
  if (outcome.status === 'done') return outcome.value;
  if (outcome.code === 'usage') throw new UsageError(outcome.message);
  throw new ScriptError(outcome.message, outcome.diagnostics);
}

/** Names of connections have no slash; one that is the name of a file, too, can be told from it by `./`. */
function isOnDisk({ cwd }: CliContext, given: string): boolean {
  return /[/\\]/.test(given) || existsSync(path.resolve(cwd, given));
}

async function askDisk<T>(
  { cwd }: CliContext,
  given: string,
  layer: OptionValue,
  use: (semantic: SemanticApi, target: ModelTarget) => ScriptOutcome<T>,
): Promise<ScriptOutcome<T>> {
  const { openDiskModels } = await import('../workspace/semantic/open-disk-models.ts');
  const key = typeof layer === 'string' ? layer : undefined;
  return use(openDiskModels(), { kind: 'disk', path: given, cwd, key });
}
