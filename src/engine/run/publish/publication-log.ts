import type { PublicationType } from '../../script/values/publication.ts';

/** One completed publication of a run. */
export interface Published {
  /** The table, view or file. */
  readonly name: string;
  readonly kind: PublicationType;
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

/** Describes the completed and unattempted publications of a failed run; undefined without any. */
export function describeUnfinished({ published, waiting }: PublicationLog): string | undefined {
  if (published.length + waiting.size === 0) return undefined;
  const done = published.length === 0 ? 'nothing' : published.map(({ name }) => `\`${name}\``).join(', ');
  const left = [...waiting].map((name) => `\`${name}\``).join(', ');
  return `published before the error: ${done}${left === '' ? '' : `; not tried: ${left}`}`;
}
