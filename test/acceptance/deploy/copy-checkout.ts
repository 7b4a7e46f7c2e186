import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './tools.ts';

/** Copies the files of a checkout to a folder, without those that a filter refuses. */
export function copyCheckout(folder: string, isWanted: (file: string) => boolean = () => true): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed
    .split('\0')
    .filter((name) => name !== '' && isWanted(name) && existsSync(path.join(root, name)))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file));
  }
}
