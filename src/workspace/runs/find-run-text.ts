import { listSnapshotSources } from '../../engine/project/snapshot.ts';
import type { Source } from '../../engine/text/source.ts';
import type { Work } from '../../execution/contract/request.ts';
import type { RunText } from '../../execution/results/async-executions.ts';
import type { ServedTarget } from '../api/target.ts';

/** Longer texts are not kept with the results, in characters: they are in memory, up to 200 of each user. */
const MAX_LENGTH = 128 * 1024;

/** The text of an execution that is kept with its results; null if it has no single text, or a long one. */
export function findRunText(target: ServedTarget, work: Work): RunText | null {
  const source = findSource(target, work);
  if (source === undefined || source.text.length > MAX_LENGTH) return null;
  const block = work.kind === 'block' ? work.block : null;
  return { file: work.kind === 'sql' ? null : source.name, block, text: source.text };
}

function findSource(target: ServedTarget, work: Work): Source | undefined {
  if (work.kind === 'sql') return work.source;
  if (work.kind === 'script')
    return listSnapshotSources(work.snapshot).find(({ name }) => name === work.file);
  // Only the sender of one file knows which file has the block.
  if (work.kind !== 'block' || target.kind !== 'bundle' || target.files.length !== 1) return undefined;
  const { text } = target.files[0] ?? {};
  return listSnapshotSources(work.snapshot).find((source) => source.text === text);
}
