import type { PublicationType } from '../../script/values/publication.ts';

/** One publication of a run that is done. */
export interface Published {
  /** The table, view or file. */
  readonly name: string;
  readonly kind: PublicationType;
  /** Of a table, all that it has now; null where they were not counted. */
  readonly rows: number | null;
  readonly seconds: number;
}

/** What one run has published, and what it still has to. */
export interface PublicationLog {
  readonly published: Published[];
  /** Names of blocks that no publication was begun for. */
  readonly waiting: Set<string>;
}

/** A log without entries. */
export function createPublicationLog(): PublicationLog {
  return { published: [], waiting: new Set() };
}

/** What a failed run did before it and did not try; undefined for one that has nothing to say. */
export function describeUnfinished({ published, waiting }: PublicationLog): string | undefined {
  if (published.length + waiting.size === 0) return undefined;
  const done = published.length === 0 ? 'nothing' : published.map(({ name }) => `\`${name}\``).join(', ');
  const left = [...waiting].map((name) => `\`${name}\``).join(', ');
  return `published before the error: ${done}${left === '' ? '' : `; not tried: ${left}`}`;
}
