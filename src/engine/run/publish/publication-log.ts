import type { PublicationType } from '../../script/values/publication.ts';

/** One completed publication of a run, or a schema that it has created for one. */
export interface Published {
  /** The table, view, file or schema. */
  readonly name: string;
  readonly kind: PublicationType | 'schema';
  /** The total rows of a table; null if they were not counted. */
  readonly rows: number | null;
  readonly seconds: number;
}

/** The publications that a run has completed, and those that it has not started. */
export interface PublicationLog {
  readonly published: Published[];
  /** Names of blocks whose publication has not started. */
  readonly waiting: Set<string>;
}

/** Creates an empty log. */
export function createPublicationLog(): PublicationLog {
  return { published: [], waiting: new Set() };
}

/** Describes a schema that was created since a time of `performance`. */
export function describeSchema(name: string, started: number): Published {
  return { name, kind: 'schema', rows: null, seconds: (performance.now() - started) / 1000 };
}

/** Describes the completed and unattempted publications of a failed run; undefined without any. */
export function describeUnfinished({ published, waiting }: PublicationLog): string | undefined {
  if (published.length + waiting.size === 0) return undefined;
  const isSchema = ({ kind }: Published) => kind === 'schema';
  const print = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const schemas = print(published.filter(isSchema).map(({ name }) => name));
  const done = print(published.filter((object) => !isSchema(object)).map(({ name }) => name));
  const waitingNames = print([...waiting]);
  return [
    ...(schemas === '' ? [] : [`created the schema before the error: ${schemas}`]),
    `published before the error: ${done === '' ? 'nothing' : done}`,
    ...(waitingNames === '' ? [] : [`not tried: ${waitingNames}`]),
  ].join('; ');
}
