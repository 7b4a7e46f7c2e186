import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findChanges, listFiles, UnknownRevisionError } from './changed-files.ts';

describe('the changed files', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** A repository with one commit of `a.ts`, `b.ts` and an ignored folder. */
  function makeRepository() {
    const folder = mkdtempSync(path.join(tmpdir(), 'quern-near-'));
    folders.push(folder);
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@localhost', ...args], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    const write = (name: string, text = 'text\n') => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    };
    const commit = () => {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'a change');
    };
    git('init', '-q', '-b', 'main');
    for (const name of ['a.ts', 'b.ts']) write(name);
    write('.gitignore', 'out/\n');
    commit();
    return { folder, git, write, commit };
  }

  it('are the staged, unstaged, deleted and untracked ones, but not the ignored ones', () => {
    const { folder, git, write } = makeRepository();
    write('a.ts', 'other\n');
    git('rm', '-q', 'b.ts');
    write('näch ste.ts');
    write('out/d.ts');
    write('c.ts');
    git('add', 'c.ts');
    expect(findChanges(folder)).toEqual({ base: 'HEAD', files: ['a.ts', 'b.ts', 'c.ts', 'näch ste.ts'] });
    expect(listFiles(folder).toSorted()).toEqual(['.gitignore', 'a.ts', 'c.ts', 'näch ste.ts']);
  });

  it('include the old path of a renamed file', () => {
    const { folder, git } = makeRepository();
    git('mv', 'a.ts', 'z.ts');
    expect(findChanges(folder).files).toEqual(['a.ts', 'z.ts']);
  });

  it('are those of the last commit if nothing has changed since', () => {
    const { folder, write, commit } = makeRepository();
    expect(findChanges(folder)).toEqual({ base: 'HEAD', files: [] });
    write('c.ts');
    commit();
    expect(findChanges(folder)).toEqual({ base: 'HEAD~1', files: ['c.ts'] });
    commit();
    expect(findChanges(folder)).toEqual({ base: 'HEAD~1', files: [] });
  });

  it('are those since the merge base with origin/main if there is such a branch', () => {
    const { folder, git, write, commit } = makeRepository();
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    for (const name of ['c.ts', 'd.ts']) {
      write(name);
      commit();
    }
    expect(findChanges(folder).files).toEqual(['c.ts', 'd.ts']);
    expect(findChanges(folder).base).toContain('origin/main');
  });

  it('are compared with a given revision', () => {
    const { folder, git, write, commit } = makeRepository();
    git('tag', 'first');
    write('c.ts');
    commit();
    write('d.ts');
    expect(findChanges(folder, 'first')).toEqual({ base: 'first', files: ['c.ts', 'd.ts'] });
    expect(findChanges(folder, 'HEAD')).toEqual({ base: 'HEAD', files: ['d.ts'] });
    for (const wrong of ['nope', '--all', '']) {
      expect(() => findChanges(folder, wrong)).toThrow(UnknownRevisionError);
    }
  });
});
