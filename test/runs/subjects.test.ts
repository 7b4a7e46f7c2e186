import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSubjects } from './subjects.ts';

let folder: string;

function git(...args: readonly string[]): void {
  const user = ['-c', 'user.name=ada', '-c', 'user.email=ada@localhost'];
  execFileSync('git', [...user, ...args], { cwd: folder, stdio: 'ignore' });
}

const commit = (subject: string) => git('commit', '--allow-empty', '-m', subject);

describe('the subjects of commits', () => {
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'quern-subjects-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are checked after the upstream branch, except those of merges', () => {
    git('init', '-q', '-b', 'main');
    commit('Landed without an area');
    git('checkout', '-q', '-b', 'change', '--track', 'main');
    expect(checkSubjects(folder)).toEqual([]);
    const long = `exec: refuse ${'ä'.repeat(59)}`;
    for (const subject of [long, `${long}e`, 'Semantic SQL: read `a: b`', 'Without an area', 'exec:refuse']) {
      commit(subject);
    }
    git('checkout', '-q', '-b', 'other', 'main');
    commit('exec: refuse more');
    git('checkout', '-q', 'change');
    git('merge', '-q', '-m', 'Merge the other branch', 'other');
    expect(checkSubjects(folder).map((error) => error.replace(/commit \w+/, 'commit …'))).toEqual([
      'the subject of commit …: it names no area, as in `exec: refuse …`: exec:refuse',
      'the subject of commit …: it names no area, as in `exec: refuse …`: Without an area',
      `the subject of commit …: it has more than 72 characters: ${long}e`,
    ]);
  });

  it('are not checked without an upstream branch or a repository', () => {
    expect(checkSubjects(folder)).toEqual([]);
    git('init', '-q', '-b', 'main');
    commit('Without an area');
    expect(checkSubjects(folder)).toEqual([]);
  });
});
