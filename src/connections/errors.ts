import { ServiceError } from '../errors/service-error.ts';

/** Refusals about connections (interface 7, Execute SQL; catalog 11). */
export const connectionErrors = {
  notFound: (name: string) => new ServiceError(404, `Connection not found: ${name}`),
  overrideNotAllowed: (key: string) => new ServiceError(400, `Override not allowed: ${key}`),
  overrideNotString: (key: string) => new ServiceError(400, `Override ${key} must be a string`),
};
