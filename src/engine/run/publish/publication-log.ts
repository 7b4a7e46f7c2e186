import type { TargetResult } from '../outcome/target-report.ts';

/** The publications that a run has ended, and those that it has not started. */
export interface PublicationLog {
  /** In the order of their ends. */
  readonly targets: readonly TargetResult[];
  /** Adds the end of a target. */
  addTarget(target: TargetResult): void;
  /** Schemas that the run has created for targets. */
  readonly schemas: string[];
  /** Names of blocks whose publication has not started. */
  readonly waiting: Set<string>;
}

/** Creates an empty log; `onTarget` receives the end of each target. */
export function createPublicationLog(
  onTarget: (target: TargetResult) => void = () => undefined,
): PublicationLog {
  const targets: TargetResult[] = [];
  return {
    targets,
    addTarget(target) {
      targets.push(target);
      onTarget(target);
    },
    schemas: [],
    waiting: new Set(),
  };
}

/** Describes the completed and unattempted publications of a failed run; undefined without any. */
export function describeUnfinished({ targets, schemas, waiting }: PublicationLog): string | undefined {
  const published = targets.filter(({ status }) => status === 'PUBLISHED').map(({ name }) => name);
  if (published.length + schemas.length + waiting.size === 0) return undefined;
  const print = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  return [
    ...(schemas.length === 0 ? [] : [`created the schema before the error: ${print(schemas)}`]),
    `published before the error: ${published.length === 0 ? 'nothing' : print(published)}`,
    ...(waiting.size === 0 ? [] : [`not tried: ${print([...waiting])}`]),
  ].join('; ');
}
