import { ServiceError } from '../../errors/service-error.ts';

/** Refusals of executions (interface 4.3, 7; catalog 5, 11), but for those of paths and connections. */
export const execErrors = {
  mustBeObject: (field: string) => new ServiceError(400, `${field} must be an object`),
  notUnicode: (field: string) => new ServiceError(400, `${field} must be well-formed Unicode`),
  tooDeep: (field: string, most: number) =>
    new ServiceError(400, `${field} must not be nested more than ${most} levels deep`),
  mustBeList: (field: string) => new ServiceError(400, `${field} must be a list`),
  notOneOf: (field: string, known: readonly string[]) =>
    new ServiceError(400, `${field} must be one of ${known.join(', ')}`),
  notBetween: (field: string, least: number, most: number) =>
    new ServiceError(400, `${field} must be a whole number from ${least} to ${most}`),
  pathAndBlock: () => new ServiceError(400, 'Path and block must not both be given'),
  tooManyFiles: (most: number) => new ServiceError(400, `There must not be more than ${most} files`),
  filePath: (path: string) => new ServiceError(400, `File path is not allowed: ${path.slice(0, 200)}`),
  fileTwice: (path: string) => new ServiceError(400, `File path is given twice: ${path}`),
  fileAndFolder: (path: string) => new ServiceError(400, `File path is that of a folder, too: ${path}`),
  fileTooLarge: (path: string) => new ServiceError(400, `File exceeds the 15 MB size limit: ${path}`),
  notNumbers: () => new ServiceError(400, 'Numbers must be number or string'),
  missingArgument: (name: string) => new ServiceError(400, `Missing argument: ${name}`),
  unknownArgument: (name: string) => new ServiceError(400, `Unknown argument: ${name}`),
  blockNotFound: (name: string) => new ServiceError(404, `Block not found: ${name}`),
  notEnded: (id: string) =>
    new ServiceError(409, `The execution has not ended yet: ${id}`, { retryAfter: 1 }),
  notKept: (id: string) =>
    new ServiceError(404, `Whoever has asked for this execution waits for its result: ${id}`),
  broken: () => new ServiceError(500, 'Something went wrong on our side; the log has it'),

  // What follows tells of a fault in the words of whoever found it.
  badParameter: (detail: string) => new ServiceError(400, detail),
  refused: (detail: string) => new ServiceError(422, detail),
  conflict: (detail: string) => new ServiceError(409, detail),
  connectionFailed: (detail: string) => new ServiceError(502, detail),
  diskFull: (detail: string) => new ServiceError(503, detail),
  busy: (detail: string) => new ServiceError(503, detail, { retryAfter: 5 }),
  lost: (detail: string) => new ServiceError(503, detail, { retryAfter: 1 }),
  tooLate: (detail: string) => new ServiceError(504, detail),
};
