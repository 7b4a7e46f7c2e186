import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findCluster } from './spent/groups.ts';
import { readKept } from './spent/kept-times.ts';

const CLUSTERS = ['one node', 'three nodes', null] as const;

/**
 * Starts the files that use a cluster one after the other, because it stops when none uses it; and the files that took
 * longest in the run that the repository keeps before the others, so that no processor waits for one of them at the end.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = readKept();
    // A new file may be slow.
    const rankOf = ({ moduleId }: TestSpecification) =>
      [
        CLUSTERS.indexOf(findCluster(moduleId)),
        -(seconds.get(moduleId) ?? Number.POSITIVE_INFINITY),
      ] as const;
    const ranks = new Map(files.map((file) => [file, rankOf(file)]));
    return files.toSorted((one, other) => {
      const [[cluster, time], [otherCluster, otherTime]] = [ranks.get(one)!, ranks.get(other)!];
      return cluster - otherCluster || (time < otherTime ? -1 : Number(time > otherTime));
    });
  }
}
