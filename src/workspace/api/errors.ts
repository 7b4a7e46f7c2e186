import { ServiceError } from '../../errors/service-error.ts';
import type { SemanticError } from '../../semantic/errors.ts';
import { SETTINGS } from '../../settings/table.ts';
import { suggest } from '../../text/suggest.ts';

/** Thrown for an unknown name in a request; the message lists or suggests the known ones. */
export class UnknownNameError extends Error {}

/** The error for a selector that leads to no scripts; `hint` is appended to the message. */
export function unknownSelector(selector: string, hint = ''): UnknownNameError {
  return new UnknownNameError(`nothing matches \`${selector}\`${hint}`);
}

/** The error for an environment that the project's manifest does not declare; `known` is null without a project. */
export function unknownEnvironment(name: string, known: readonly string[] | null): UnknownNameError {
  const subject = `unknown environment \`${name}\``;
  if (known === null) return new UnknownNameError(`${subject}: the scripts do not belong to a project`);
  if (known.length === 0) return new UnknownNameError(`${subject}: project.toml declares none`);
  const near = suggest(name, known);
  const hint = near === undefined ? '' : `, did you mean \`${near}\`?`;
  return new UnknownNameError(`${subject}; available: ${known.join(', ')}${hint}`);
}

/** The error for an environment to defer to whose tables the session of the run cannot read. */
export function otherDatabase(name: string): UnknownNameError {
  const reason = 'it has another connection or other overrides than this run';
  return new UnknownNameError(`--defer ${name}: ${reason}, which cannot read its tables`);
}

/** Errors before an execution starts (docs/reference/exec.md#bodies). */
export const runErrors = {
  notAnAsset: () => new ServiceError(422, 'path_must_be_asset', 'Path must be an asset'),
  notAScript: (path: string) => new ServiceError(422, 'not_a_script', `Not a script: ${path}`),
  noPackage: (path: string, reason: string) =>
    new ServiceError(404, 'package_not_found', `no package ${path}: ${reason}`),
  noScripts: () => new ServiceError(404, 'scripts_not_found', 'there are no scripts here'),
  notInBundle: (path: string) => new ServiceError(404, 'path_not_found', `Path not found: ${path}`),
  sqlTooLarge: (megabytes: number) =>
    new ServiceError(400, 'sql_over_limit', `SQL exceeds the ${megabytes} MB size limit`, {
      hint: `store it as a script, or change ${SETTINGS.execSqlSize.key}`,
    }),
  filesNotOpen: (running: number) =>
    new ServiceError(
      503,
      'engine_unavailable',
      `The files of a new connection can be opened when the running executions have ended (running: ${running})`,
      { retryAfter: 5 },
    ),
  notTested: (detail: string) =>
    new ServiceError(503, 'connection_not_tested', `The test could not run: ${detail}`, { retryAfter: 5 }),
  testRunning: () =>
    new ServiceError(
      429,
      'connection_test_running',
      'You are testing a connection already: wait until that test has ended',
      { retryAfter: 5 },
    ),
  connectionRequired: () => new ServiceError(400, 'connection_required', 'Connection is required'),
  executionNotFound: (id: string) =>
    new ServiceError(404, 'execution_not_found', `Execution not found: ${id}`),
  notRecorded: (id: string) =>
    new ServiceError(404, 'results_not_recorded', `The execution has no results for each statement: ${id}`, {
      hint: 'start it with `results=all`',
    }),
  tooLargeToConvert: () =>
    new ServiceError(
      422,
      'result_not_convertible',
      'The result is too large for this format: download it as arrow or csv',
    ),
  valueNotConvertible: (detail: string) => new ServiceError(422, 'result_not_convertible', detail),
  tooManyConversions: () =>
    new ServiceError(
      429,
      'too_many_downloads',
      'Too many results are being converted; wait until a download has ended',
      { retryAfter: 2 },
    ),
  notLoadable: (name: string, kind: string) =>
    new ServiceError(
      422,
      'connection_not_loadable',
      `${name} is a ${kind} connection: name the connection below it`,
    ),
  /**
   * 400 for an invalid semantic query, 422 for a valid one without a correct answer
   * (docs/reference/semantic-http.md#errors).
   */
  question: ({ kind, code, message, hint }: Pick<SemanticError, 'kind' | 'code' | 'message' | 'hint'>) =>
    new ServiceError(kind === 'invalid' ? 400 : 422, code, message, { hint }),
  /** `diagnostics` are printed text. */
  statementRefused: (diagnostics: string) => new ServiceError(422, 'sql_error', diagnostics),
  questionTooLarge: () =>
    new ServiceError(422, 'query_too_large', 'The semantic query is too large to be translated to SQL'),
  /** `diagnostics` are printed text. */
  modelInvalid: (diagnostics: string) =>
    new ServiceError(422, 'model_invalid', `The semantic model has errors:\n${diagnostics}`),
  modelsBusy: () =>
    new ServiceError(
      429,
      'too_many_queries',
      'Too many semantic queries are waiting; try again in a few seconds',
      { retryAfter: 5 },
    ),
  modelsClosed: () => new ServiceError(503, 'server_stopping', 'The server is stopping', { retryAfter: 1 }),
  /** An error of the connection that the home's configuration names and the request does not. */
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

/** Errors of commands that need the server of their home. */
export const homeServerErrors = {
  unreachable: (cause: Error) => new ServiceError(503, 'server_unreachable', cause.message, { cause }),
  /** An error of an operation of the server. */
  refused: ({ status, code, detail, hint }: Pick<ServiceError, 'status' | 'code' | 'detail' | 'hint'>) =>
    new ServiceError(status, code, detail, { hint }),
  ofOtherUser: (file: string, owner: number) =>
    new ServiceError(
      403,
      'socket_of_other_user',
      `the socket \`${file}\` of the server on this home belongs to another user (user id ${owner}): run the command as that user`,
    ),
  noServer: () => new ServiceError(503, 'no_server', 'no server runs on this home'),
  stillRunning: (count: number, seconds: number) =>
    new ServiceError(
      503,
      'executions_still_running',
      `after ${seconds} s, ${count} ${count === 1 ? 'execution still runs' : 'executions still run'} on the server of this home. ` +
        'Nothing was backed up: see `quern ps`, and allow more time with --wait',
    ),
  heldByOthers: (seconds: number) =>
    new ServiceError(
      503,
      'backup_in_progress',
      `after ${seconds} s, another backup of this home still runs. Nothing was backed up: allow more time with --wait`,
    ),
};
