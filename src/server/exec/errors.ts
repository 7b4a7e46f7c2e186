import { ServiceError } from '../../errors/service-error.ts';

/** Refusals of executions (interface 4.3, 7; catalog 5, 11), but for those of paths and connections. */
export const execErrors = {
  mustBeObject: (field: string) => new ServiceError(400, `${field} must be an object`),
  notUnicode: (field: string) => new ServiceError(400, `${field} must be well-formed Unicode`),
  tooDeep: (field: string, most: number) =>
    new ServiceError(400, `${field} must not be nested more than ${most} levels deep`),
  notNumbers: () => new ServiceError(400, 'Numbers must be number or string'),
  missingArgument: (name: string) => new ServiceError(400, `Missing argument: ${name}`),
  unknownArgument: (name: string) => new ServiceError(400, `Unknown argument: ${name}`),
  blockNotFound: (name: string) => new ServiceError(404, `Block not found: ${name}`),

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
