// Checks the subjects of commits that are not on the upstream branch yet: `npm run check`.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const MAX_LENGTH = 72;
const AREA = /^[^\s:][^:]*: \S/u;

/** Errors of the subjects of commits that the upstream branch does not have; none without an upstream branch. */
export function checkSubjects(root: string): readonly string[] {
  const range = ['--no-merges', '--format=%h %s', '@{upstream}..HEAD'];
  return listLines(root, ['log', ...range]).flatMap((line) => {
    const [commit = '', ...words] = line.split(' ');
    const subject = words.join(' ');
    const errors = [
      ...([...subject].length > MAX_LENGTH ? [`it has more than ${MAX_LENGTH} characters`] : []),
      ...(AREA.test(subject) ? [] : ['it names no area, as in `exec: refuse …`']),
    ];
    return errors.map((error) => `the subject of commit ${commit}: ${error}: ${subject}`);
  });
}

function listLines(root: string, args: readonly string[]): readonly string[] {
  try {
    const output = execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

if (import.meta.main) {
  const errors = checkSubjects(path.resolve(import.meta.dirname, '../..'));
  for (const error of errors) process.stderr.write(`${error}\n`);
  process.exitCode = errors.length === 0 ? 0 : 1;
}
