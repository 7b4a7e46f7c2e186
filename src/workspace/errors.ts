import { ServiceError } from '../errors/service-error.ts';

/** Refusals of an execution before it begins (interface 7; catalog 11). */
export const runErrors = {
  notAnAsset: () => new ServiceError(422, 'Path must be an asset'),
  notAScript: (path: string) => new ServiceError(422, `Not a script: ${path}`),
  noSuchEnvironment: (name: string, known: readonly string[]) =>
    new ServiceError(
      400,
      known.length === 0
        ? `there is no environment ${name}: the project's manifest has none`
        : `there is no environment ${name}: use ${known.join(', ')}`,
    ),
  noPackage: (path: string, reason: string) => new ServiceError(404, `no package ${path}: ${reason}`),
  noScripts: () => new ServiceError(404, 'there are no scripts here'),
  noSuchUser: (name: string) => new ServiceError(401, `there is no user ${name} in this home`),
  inactiveUser: (name: string) => new ServiceError(401, `the user ${name} is disabled`),
};
