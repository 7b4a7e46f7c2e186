import { ServiceError } from '../../errors/service-error.ts';
import { printCount } from '../../invariants/print-count.ts';

/**
 * Errors of executions (docs/reference/exec.md#bodies, docs/reference/exec.md#errors), except for those of paths and
 * connections.
 */
export const execErrors = {
  mustBeObject: (field: string) => new ServiceError(400, 'field_not_an_object', `${field} must be an object`),
  notUnicode: (field: string) =>
    new ServiceError(400, 'text_not_unicode', `${field} must be well-formed Unicode`),
  tooDeep: (field: string, max: number) =>
    new ServiceError(400, 'field_too_deep', `${field} must not be nested more than ${max} levels deep`),
  tooManyValues: (field: string, max: number) =>
    new ServiceError(400, 'field_too_large', `${field} must not have more than ${printCount(max)} values`),
  notBetween: (field: string, min: number, max: number) =>
    new ServiceError(400, 'field_out_of_range', `${field} must be a whole number from ${min} to ${max}`),
  pathAndBlock: () => new ServiceError(400, 'path_and_block_given', 'Path and block must not both be given'),
  tooManyFiles: (max: number) =>
    new ServiceError(400, 'too_many_files', `There must not be more than ${max} files`),
  filePath: (path: string) =>
    new ServiceError(400, 'file_path_not_allowed', `File path is not allowed: ${path.slice(0, 200)}`),
  fileTwice: (path: string) => new ServiceError(400, 'file_path_given_twice', `Duplicate file path: ${path}`),
  fileAndFolder: (path: string) =>
    new ServiceError(400, 'file_path_is_a_folder', `File path is also the path of a folder: ${path}`),
  fileTooLarge: (path: string) =>
    new ServiceError(400, 'content_too_large', `File exceeds the 15 MB size limit: ${path}`),
  notNumbers: () => new ServiceError(400, 'field_not_one_of', 'Numbers must be number or string'),
  missingArgument: (name: string) => new ServiceError(400, 'argument_missing', `Missing argument: ${name}`),
  unknownArgument: (name: string) => new ServiceError(400, 'argument_unknown', `Unknown argument: ${name}`),
  blockNotFound: (name: string, hint: string) =>
    new ServiceError(404, 'block_not_found', `Block not found: ${name}`, { hint }),
  notEnded: (id: string) =>
    new ServiceError(409, 'execution_not_ended', `The execution has not ended yet: ${id}`, { retryAfter: 1 }),
  notKept: (id: string) =>
    new ServiceError(
      404,
      'result_not_kept',
      `The result of a synchronous execution cannot be retrieved: ${id}`,
    ),
  onlyAsync: () =>
    new ServiceError(
      400,
      'results_need_respond_async',
      'results=all needs the header Prefer: respond-async, and work that runs statements or tests',
    ),
  resultNotFound: (index: string) =>
    new ServiceError(404, 'result_not_found', `Result not found: ${index.slice(0, 20)}`),
  resultNotComplete: (index: number) =>
    new ServiceError(409, 'result_not_complete', `The result is not complete yet: ${index}`, {
      retryAfter: 1,
    }),
  notConvertible: (max: number) =>
    new ServiceError(
      422,
      'result_not_convertible',
      `The result has a value of more than ${max / 1024 ** 2} MB: download it as arrow`,
    ),
  onlyCsv: (field: string) =>
    new ServiceError(
      400,
      'field_needs_csv',
      `${field} has an effect on csv only: omit it, or use format=csv`,
    ),
  outOfRange: (detail: string) => new ServiceError(422, 'result_not_convertible', detail),
  beyondEnd: (from: number) =>
    new ServiceError(416, 'offset_beyond_end', `From is beyond the end of the result: ${from}`),
  oneForEachStatement: (id: string) =>
    new ServiceError(404, 'result_not_kept', `The execution has one result for each statement: ${id}`, {
      hint: 'read its `results`',
    }),
  broken: () => new ServiceError(500, 'internal_error', 'Internal error; the server log has the details'),

  // The detector of these errors writes their messages.
  parameterInvalid: (detail: string) => new ServiceError(400, 'parameter_invalid', detail),
  sqlError: (detail: string) => new ServiceError(422, 'sql_error', detail),
  scriptError: (detail: string) => new ServiceError(422, 'script_error', detail),
  statementNotAllowed: (detail: string) => new ServiceError(422, 'statement_not_allowed', detail),
  /** Prescribed (docs/reference/permissions.md#read); `refusal` has the place and the kind of the statement. */
  statementNeedsUse: (refusal: string) =>
    new ServiceError(403, 'statement_needs_use', "You don't have permission to access this connection", {
      hint: refusal,
    }),
  limitExceeded: (detail: string) => new ServiceError(422, 'limit_exceeded', detail),
  selectionNotFound: (detail: string) => new ServiceError(422, 'selection_not_found', detail),
  databaseFull: (detail: string, hint: string | undefined) =>
    new ServiceError(422, 'database_full', detail, { hint }),
  publicationConflict: (detail: string) => new ServiceError(409, 'publication_conflict', detail),
  cancelled: (detail: string) => new ServiceError(409, 'execution_cancelled', detail),
  clientLeft: (detail: string) => new ServiceError(409, 'client_left', detail),
  unreachable: (detail: string) => new ServiceError(502, 'connection_unreachable', detail),
  loginFailed: (detail: string) => new ServiceError(502, 'connection_login_failed', detail),
  databaseLocked: (detail: string) => new ServiceError(502, 'connection_locked', detail),
  diskFull: (detail: string) => new ServiceError(503, 'disk_full', detail),
  busy: (detail: string) => new ServiceError(429, 'too_many_executions', detail, { retryAfter: 5 }),
  paused: (detail: string, retryAfter: number) =>
    new ServiceError(429, 'executions_paused', detail, { retryAfter }),
  lost: (detail: string) => new ServiceError(503, 'execution_lost', detail, { retryAfter: 1 }),
  timeout: (detail: string) => new ServiceError(504, 'execution_timeout', detail),
};
