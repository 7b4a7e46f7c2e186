import type { EnvironmentNames } from '../../project/manifest.ts';
import type { BlockDeclaration } from '../syntax/ast.ts';
import { type Publication, PublicationError } from './publication.ts';

/** The environment of a run, as far as it names targets. */
export interface RunEnvironment {
  /** Null: targets have the names in their metadata. */
  readonly names: EnvironmentNames | null;
  /** The schema of the session, in which targets without `:schema` are; null if it is unknown. */
  readonly currentSchema: string | null;
  /** The environment from which blocks that are not in `selected` are read; null: all are read from this one. */
  readonly deferred: {
    readonly names: EnvironmentNames | null;
    readonly selected: ReadonlySet<BlockDeclaration>;
  } | null;
}

/** The environment of a run that names none, and of all that opens no session. */
export const NO_ENVIRONMENT: RunEnvironment = { names: null, currentSchema: null, deferred: null };

/** The publication of a block under the names of a run's environment. Throws a PublicationError for a path outside it. */
export function placeIn(
  { names, currentSchema, deferred }: RunEnvironment,
  block: BlockDeclaration,
  publication: Publication,
): Publication {
  const used = deferred === null || deferred.selected.has(block) ? names : deferred.names;
  if (used === null) return publication;
  const { path, schema } = publication;
  if (path !== null) return { ...publication, path: placePath(used, path) };
  const own = schema ?? currentSchema;
  const placed = 'schema' in used ? used.schema : own === null ? null : `${used.prefix}${own}`;
  return { ...publication, schema: placed };
}

function placePath(names: EnvironmentNames, file: string): string {
  const inside = file.replace(/^(?:\.\/+)+/, '');
  if (inside.startsWith('/') || inside.split('/').includes('..')) {
    const folder = 'schema' in names ? names.schema : `${names.prefix}…`;
    const message = `\`${file}\` would leave \`${folder}\`, the folder of this environment: write a path below it, without \`..\``;
    throw new PublicationError(message, 'path');
  }
  return 'schema' in names ? `${names.schema}/${inside}` : `${names.prefix}${inside}`;
}
