import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CONSTRUCTIONS } from './constructions.ts';
import { readProse } from './read-prose.ts';

export interface Banned {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly use: string;
}

const root = path.resolve(import.meta.dirname, '../..');

/** What the program and its pages say; data of tests and what is generated are not read. */
const READ = /^(?:src|web|bin|scripts|bench|docs|fixtures|test)\/.*\.(?:ts|tsx|js|md)$|^[A-Z]+\.md$/u;
const LEFT_OUT =
  /common-passwords|^test\/words\/|\/RESULTS\.md$|^(?!.*\.(?:md|test\.ts)$)test\/.*\/(?:golden|fixtures)\//u;

/** The banned constructions below some paths of the project. */
export function findBanned(paths: readonly string[]): readonly Banned[] {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => READ.test(file) && !LEFT_OUT.test(file));
  return files.flatMap((file) => listBanned(file, readFileSync(path.join(root, file), 'utf8')));
}

function listBanned(file: string, text: string): readonly Banned[] {
  return readProse(file, text).flatMap(({ line, text: prose }) =>
    CONSTRUCTIONS.flatMap(({ pattern, use }) => {
      const found = pattern.exec(prose);
      if (found === null) return [];
      const from = Math.max(0, found.index - 50);
      return [{ file, line, text: prose.slice(from, found.index + 70), use }];
    }),
  );
}
