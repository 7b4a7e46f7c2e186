import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Builds once before the tests, unless the build is fresh: the command line is tested as users run it. */
export default function build(): void {
  execFileSync(process.execPath, [path.resolve(import.meta.dirname, '../../scripts/prepare.js')], {
    stdio: 'inherit',
  });
}
