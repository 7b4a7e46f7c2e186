import { suggest } from '../../engine/text/suggest.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SemanticError } from '../../semantic/errors.ts';
import { SETTINGS } from '../../settings/table.ts';

/** A name in a request that stands for nothing there; the message says what would. */
export class UnknownNameError extends Error {}

/** A selector as it was typed, which no test matches; `hint` is what is said behind it. */
export function unknownTest(selector: string, hint = ''): UnknownNameError {
  return new UnknownNameError(`no test matches \`${selector}\`${hint}`);
}

/** An environment that the project's manifest does not have; `known` is null where no project is. */
export function unknownEnvironment(name: string, known: readonly string[] | null): UnknownNameError {
  const subject = `unknown environment \`${name}\``;
  if (known === null) return new UnknownNameError(`${subject}: the scripts do not belong to a project`);
  if (known.length === 0) return new UnknownNameError(`${subject}: project.toml declares none`);
  const near = suggest(name, known);
  const hint = near === undefined ? '' : `, did you mean \`${near}\`?`;
  return new UnknownNameError(`${subject}; available: ${known.join(', ')}${hint}`);
}

/** Refusals of an execution before it begins (interface 7; catalog 11). */
export const runErrors = {
  notAnAsset: () => new ServiceError(422, 'path_must_be_asset', 'Path must be an asset'),
  notAScript: (path: string) => new ServiceError(422, 'not_a_script', `Not a script: ${path}`),
  noPackage: (path: string, reason: string) =>
    new ServiceError(404, 'package_not_found', `no package ${path}: ${reason}`),
  noScripts: () => new ServiceError(404, 'scripts_not_found', 'there are no scripts here'),
  notInBundle: (path: string) => new ServiceError(404, 'path_not_found', `Path not found: ${path}`),
  connectionRequired: () => new ServiceError(400, 'connection_required', 'Connection is required'),
  executionNotFound: (id: string) =>
    new ServiceError(404, 'execution_not_found', `Execution not found: ${id}`),
  notLoadable: (name: string, kind: string) =>
    new ServiceError(
      422,
      'connection_not_loadable',
      `${name} is a ${kind} connection: files are loaded into DuckDB connections only`,
    ),
  /** 400 for a question that is wrong, 422 for one without a right answer (semantic 1). */
  question: ({ kind, code, message, hint }: Pick<SemanticError, 'kind' | 'code' | 'message' | 'hint'>) =>
    new ServiceError(kind === 'invalid' ? 400 : 422, code, message, { hint }),
  /** `diagnostics` as they are printed. */
  statementRefused: (diagnostics: string) => new ServiceError(422, 'sql_error', diagnostics),
  questionTooLarge: () =>
    new ServiceError(422, 'query_too_large', 'The question is too large to be turned into SQL'),
  /** `faults` as they are printed. */
  modelFaults: (faults: string) => new ServiceError(422, 'model_invalid', `The model has faults:\n${faults}`),
  modelsBusy: () =>
    new ServiceError(
      429,
      'too_many_queries',
      'Too many semantic queries are waiting; try again in a few seconds',
      { retryAfter: 5 },
    ),
  modelsClosed: () => new ServiceError(503, 'server_stopping', 'The server is stopping', { retryAfter: 1 }),
  /** The refusal of a connection that nobody has named but the home's configuration. */
  defaultConnection: ({ status, code, detail }: ServiceError, name: string) =>
    new ServiceError(status, code, detail, {
      hint: `the setting ${SETTINGS.semanticConnection.key} names \`${name}\``,
    }),
  /** `place` is a connection, or a path on disk. */
  otherPlatform: (
    place: string,
    layer: { readonly name: string; readonly platform: string },
    physical: { readonly name: string; readonly kind: string },
  ) =>
    new ServiceError(
      422,
      'platform_mismatch',
      `${place}: the layer ${layer.name} is for ${layer.platform}, but ${physical.name} is ${physical.kind}`,
    ),
  noSuchUser: (name: string) =>
    new ServiceError(401, 'acting_user_not_found', `there is no user ${name} in this home`),
  inactiveUser: (name: string) =>
    new ServiceError(401, 'acting_user_disabled', `the user ${name} is disabled`),
};

/** What keeps a command from what it wants of the server on its home. */
export const serverErrors = {
  unreachable: (cause: Error) => new ServiceError(503, 'server_unreachable', cause.message, { cause }),
  noServer: () => new ServiceError(503, 'no_server', 'no server runs on this home'),
  stillRunning: (count: number, seconds: number) =>
    new ServiceError(
      503,
      'executions_still_running',
      `after ${seconds} s, ${count} ${count === 1 ? 'execution still runs' : 'executions still run'} on the server of this home. ` +
        'Nothing was backed up: see `quern ps`, and give them longer with --wait',
    ),
  heldByOthers: (seconds: number) =>
    new ServiceError(
      503,
      'backup_in_progress',
      `after ${seconds} s, another backup of this home still goes on. Nothing was backed up: give it longer with --wait`,
    ),
};
