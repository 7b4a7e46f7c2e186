import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export interface Changes {
  /** What the files are compared with, as a message names it. */
  readonly base: string;
  /** Paths relative to the project; deleted files are included. */
  readonly files: readonly string[];
}

/** The argument is not a commit of the repository. */
export class UnknownRevisionError extends Error {}

const MAX_BYTES = 2 ** 26;

/**
 * The files that differ from a commit, and the untracked ones. Without `ref`, the commit is the merge base with
 * `origin/main` or, without such a branch, HEAD; its parent if nothing differs.
 */
export function findChanges(root: string, ref?: string): Changes {
  if (ref !== undefined) {
    const commit = findCommit(root, ref);
    if (commit === null) throw new UnknownRevisionError(`unknown revision \`${ref}\``);
    return { base: ref, files: listChanged(root, commit) };
  }
  const ofMain = findCommit(root, 'origin/main');
  const mergeBase = ofMain === null ? '' : tryGit(root, ['merge-base', 'HEAD', ofMain]);
  const files = listChanged(root, mergeBase || 'HEAD');
  if (files.length > 0) return { base: mergeBase ? 'the merge base with origin/main' : 'HEAD', files };
  const parent = findCommit(root, 'HEAD~1');
  return parent === null ? { base: 'HEAD', files } : { base: 'HEAD~1', files: listChanged(root, parent) };
}

/** The files of the project that exist and are not ignored. */
export function listFiles(root: string): readonly string[] {
  const names = split(git(root, ['ls-files', '-co', '--exclude-standard', '-z']));
  return names.filter((name) => existsSync(path.join(root, name)));
}

/** A renamed file counts as a deleted and an added one. */
function listChanged(root: string, commit: string): readonly string[] {
  const changed = split(git(root, ['diff', '--name-only', '--no-renames', '-z', commit, '--']));
  const untracked = split(git(root, ['ls-files', '--others', '--exclude-standard', '-z']));
  return [...new Set([...changed, ...untracked])].sort();
}

function findCommit(root: string, ref: string): string | null {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  return tryGit(root, args) || null;
}

const split = (output: string) => output.split('\0').filter((name) => name !== '');

function git(root: string, args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: MAX_BYTES });
}

/** The output of git, or an empty text if it fails. */
function tryGit(root: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}
