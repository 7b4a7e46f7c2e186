import { statSync } from 'node:fs';
import path from 'node:path';
import type { PublishedFiles } from '../../catalog/published-files.ts';
import { listSnapshotSources, type Snapshot } from '../../engine/project/snapshot.ts';
import type { AskOwner, FileAnswer, FileStep } from '../../engine/run/publish/ask-owner.ts';
import { BLOCK_BYTES } from '../../engine/run/publish/published-files.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import { type Interruptible, isPause } from '../../engine/text/interruptible.ts';
import { isInspection, type SqlWork, type Work } from '../../execution/contract/request.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { takeOverLedger } from '../home/former-ledger.ts';
import type { Home } from '../home/home.ts';

/** Creates the function by which a run of a principal records the owners of its files; undefined for runs without files. */
export type FindOwners = (principal: Principal, work: Exclude<Work, SqlWork>) => AskOwner | undefined;

/** The owners of the published files of a home. */
export function createFileOwners(home: Home, files: PublishedFiles): FindOwners {
  takeOverLedger(home, files.takeOver);
  return (principal, work) => {
    if (work.kind === 'tests' || isInspection(work)) return undefined;
    return async (step, signal) => {
      const file = { path: step.path, asset: findAsset(work.snapshot, step.script) };
      if (step.step !== 'check') return take(files, principal, file, step);
      const message = files.findRefusal(principal, file);
      if (message !== null) return { status: 'refused', message };
      const names = files.listPaths(principal.userId).filter((name) => name !== file.path);
      return { status: 'allowed', usedBytes: await finishInPieces(sumSizes(home.publish, names), signal) };
    };
  };
}

/** The asset that has the text of a script of a run; null for a text on disk or of a request. */
function findAsset(snapshot: Snapshot, script: string): string | null {
  return listSnapshotSources(snapshot).find(({ name }) => name === script)?.asset ?? null;
}

function take(
  files: PublishedFiles,
  principal: Principal,
  file: Parameters<PublishedFiles['withdraw']>[0],
  { step, inode }: Exclude<FileStep, { readonly step: 'check' }>,
): FileAnswer {
  if (step === 'claim') {
    const message = files.claim(principal, file, inode);
    if (message !== null) return { status: 'refused', message };
  } else if (step === 'keep') files.keep(principal, file, inode);
  else files.withdraw(file, inode);
  return { status: 'allowed', usedBytes: 0 };
}

/** The sum of the sizes of files, in bytes, as far as they exist. */
function* sumSizes(folder: string, names: readonly string[]): Interruptible<number> {
  let bytes = 0;
  for (const [index, name] of names.entries()) {
    const stat = statSync(path.join(folder, name), { throwIfNoEntry: false });
    if (stat !== undefined) bytes += Math.max(stat.size, BLOCK_BYTES);
    if (isPause(index)) yield;
  }
  return bytes;
}
