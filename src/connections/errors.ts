import { ServiceError } from '../errors/service-error.ts';
import { suggest } from '../text/suggest.ts';

/**
 * Errors about connections: prescribed ones (docs/reference/exec.md#bodies, docs/reference/permissions.md#connections),
 * then additional ones.
 */
export const connectionErrors = {
  notFound: (name: string, known: readonly string[]) =>
    new ServiceError(404, 'connection_not_found', `Connection not found: ${name}`, {
      hint: printNear(name, known),
    }),
  overrideNotAllowed: (key: string) =>
    new ServiceError(400, 'override_not_allowed', `Override not allowed: ${key}`),
  forbidden: () =>
    new ServiceError(
      403,
      'connection_permission_denied',
      "You don't have permission to access this connection",
    ),
  /** Prescribed for the semantic layer (docs/reference/semantic-http.md#errors). */
  modelNotFound: (hint: string | undefined) =>
    new ServiceError(400, 'connection_not_found', 'Connection not found', { hint }),
  noModel: (hint?: string) =>
    new ServiceError(400, 'semantic_model_not_found', 'No semantic model found for connection', { hint }),
  /** `detail` contains file names, which remote callers may not see. */
  noModelFiles: (detail: string) =>
    new ServiceError(400, 'semantic_model_not_found', 'No semantic model found for connection', {
      localHint: detail,
    }),
  onlyCompiles: (name: string) =>
    new ServiceError(422, 'connection_only_compiles', `Connection ${name} only compiles`),
  nameRequired: () => new ServiceError(400, 'connection_name_required', 'Connection name is required'),

  mayNotCreate: () =>
    new ServiceError(403, 'permission_denied', "You don't have permission to perform the request"),
  mayNotNameFiles: () =>
    new ServiceError(403, 'server_files_forbidden', 'Only administrators may name files of the server'),
  exists: (name: string) => new ServiceError(409, 'connection_exists', `Connection already exists: ${name}`),
  builtIn: (name: string) =>
    new ServiceError(
      422,
      'connection_built_in',
      `Connection ${name} is part of every home: it can be neither removed nor replaced`,
    ),
  tooMany: (max: number) =>
    new ServiceError(422, 'too_many_connections', `A home has at most ${max} connections`),
  unknownKind: (kind: string, known: readonly string[]) =>
    new ServiceError(
      400,
      'kind_unknown',
      `Unknown kind of connection: ${kind}; the kinds are ${known.join(', ')}`,
      {
        hint: printNear(kind, known),
      },
    ),
  kindRequired: (known: readonly string[]) =>
    new ServiceError(400, 'kind_required', `Kind is required: one of ${known.join(', ')}`),
  kindOfLaterVersion: (name: string, kind: string) =>
    new ServiceError(
      422,
      'kind_of_later_version',
      `Connection ${name} is of the kind ${kind}, which this version of Quern does not support`,
    ),
  unknownOption: (kind: string, option: string, known: readonly string[]) =>
    new ServiceError(
      400,
      'option_unknown',
      `Unknown option for ${kind}: ${option}; the options are ${known.join(', ')}`,
      {
        hint: printNear(option, known),
      },
    ),
  optionRequired: (kind: string, option: string) =>
    new ServiceError(400, 'option_required', `Option required for ${kind}: ${option}`),
  /** `reason` completes a sentence that starts with the option. */
  optionRefused: (option: string, reason: string) =>
    new ServiceError(400, 'option_invalid', `Option ${option} ${reason}`),
  isSecret: (option: string) =>
    new ServiceError(
      400,
      'option_is_secret',
      `Option ${option} is a secret: pass it in secrets, so that it is stored encrypted`,
    ),
  isNoSecret: (option: string) =>
    new ServiceError(400, 'option_not_secret', `Option ${option} is not a secret: pass it in options`),
  /** `changed` is what differs from the stored connection. */
  secretNeeded: (changed: string, secret: string) =>
    new ServiceError(
      400,
      'connection_secret_required',
      `The secret ${secret} was stored for another ${changed}: send it again`,
    ),
  notTestable: () =>
    new ServiceError(
      422,
      'connection_not_testable',
      'A semantic connection has no database to test: check its model, and test its physical connection',
    ),
  unknownOverride: (kind: string, key: string, known: readonly string[]) =>
    new ServiceError(
      400,
      'override_unknown',
      `Unknown override for ${kind}: ${key}; the overrides are ${known.join(', ')}`,
    ),
};

function printNear(word: string, known: readonly string[]): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
