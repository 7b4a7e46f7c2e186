import { suggest } from '../engine/text/suggest.ts';
import { ServiceError } from '../errors/service-error.ts';

/** Refusals about connections (interface 7, Execute SQL; catalog 11; identity 2), then those of our own. */
export const connectionErrors = {
  notFound: (name: string, known: readonly string[]) =>
    new ServiceError(404, `Connection not found: ${name}`, { hint: printNear(name, known) }),
  overrideNotAllowed: (key: string) => new ServiceError(400, `Override not allowed: ${key}`),
  forbidden: () => new ServiceError(403, "You don't have permission to access this connection"),
  /** Of the semantic layer (interface 7). */
  modelNotFound: (hint: string | undefined) => new ServiceError(400, 'Connection not found', { hint }),
  noModel: (hint?: string) => new ServiceError(400, 'No semantic model found for connection', { hint }),
  onlyCompiles: (name: string) => new ServiceError(422, `Connection ${name} only compiles`),
  nameRequired: () => new ServiceError(400, 'Connection name is required'),

  mayNotCreate: () => new ServiceError(403, "You don't have permission to perform the request"),
  mayNotNameFiles: () => new ServiceError(403, 'Only super-users may name files of the server'),
  exists: (name: string) => new ServiceError(409, `Connection already exists: ${name}`),
  builtIn: (name: string) =>
    new ServiceError(422, `Connection ${name} is part of every home: it can be neither removed nor replaced`),
  tooMany: (most: number) => new ServiceError(422, `A home has at most ${most} connections`),
  unknownKind: (kind: string, known: readonly string[]) =>
    new ServiceError(400, `Unknown kind of connection: ${kind}; the kinds are ${known.join(', ')}`, {
      hint: printNear(kind, known),
    }),
  kindRequired: (known: readonly string[]) =>
    new ServiceError(400, `Kind is required: one of ${known.join(', ')}`),
  kindOfLaterVersion: (name: string, kind: string) =>
    new ServiceError(422, `Connection ${name} is of the kind ${kind}, which this version does not know`),
  semanticNotYet: () => new ServiceError(422, 'Semantic SQL is not available yet'),
  unknownOption: (kind: string, option: string, known: readonly string[]) =>
    new ServiceError(400, `Unknown option for ${kind}: ${option}; the options are ${known.join(', ')}`, {
      hint: printNear(option, known),
    }),
  optionRequired: (kind: string, option: string) =>
    new ServiceError(400, `Option required for ${kind}: ${option}`),
  /** `reason` ends a sentence that begins with the option. */
  optionRefused: (option: string, reason: string) => new ServiceError(400, `Option ${option} ${reason}`),
  isSecret: (option: string) =>
    new ServiceError(400, `Option ${option} is a secret: give it as one, so that it is kept encrypted`),
  isNoSecret: (option: string) =>
    new ServiceError(400, `Option ${option} is no secret: give it as an option`),
  unknownOverride: (kind: string, key: string, known: readonly string[]) =>
    new ServiceError(400, `Nothing to override on ${kind}: ${key}; possible are ${known.join(', ')}`),
  /** `reason` ends a sentence that begins with the field. */
  fieldRefused: (field: string, reason: string) => new ServiceError(400, `${field} ${reason}`),
};

function printNear(word: string, known: readonly string[]): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
