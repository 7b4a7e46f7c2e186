import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, quernProcess } from '../support/quern.ts';

const root = path.resolve(import.meta.dirname, '../..');
const launcher = path.join(root, 'bin/quern.js');

/** Runs the launcher in a process that reports another version of Node; nothing else differs. */
function runAs(version: string, script: string): string {
  const code = `Object.defineProperty(process.versions, 'node', { value: ${JSON.stringify(version)} });
    process.argv = [process.execPath, 'quern', '--version'];
    console.error = (text) => console.log('REFUSED ' + text);
    require(${JSON.stringify(script)});`;
  return spawnSync(process.execPath, ['-e', code]).stdout.toString().trim();
}

describe('the launcher', () => {
  it.each(['0.12.0', '18.20.0', '20.20.2', '22.22.1', '23.11.0', '24.14.9', '25.9.0'])(
    'refuses Node %s',
    (version) => {
      expect(runAs(version, launcher)).toBe(
        `REFUSED quern needs Node.js ^22.22.2 || ^24.15.0 || >=26; this is ${version}.`,
      );
    },
  );

  it.each(['22.22.2', '22.23.0', '24.15.0', '24.21.0', '26.0.0', '27.1.0'])('runs on Node %s', (version) => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(runAs(version, launcher)).toBe(manifest.version);
  });

  it.skipIf(process.platform !== 'linux')('enlarges the thread pool before its first use', () => {
    const code = `process.argv = [process.execPath, 'quern', '--help'];
      require(${JSON.stringify(launcher)});
      process.on('exit', () => {
        require('crypto').pbkdf2('a', 'b', 1, 8, 'sha512', () => {});
        console.log(require('fs').readdirSync('/proc/self/task').length);
      });`;
    const env = { ...process.env };
    const count = (size?: string) => {
      const given =
        size === undefined ? { ...env, UV_THREADPOOL_SIZE: '' } : { ...env, UV_THREADPOOL_SIZE: size };
      return Number(
        execFileSync(process.execPath, ['-e', code], { env: given }).toString().split('\n').at(-2),
      );
    };
    expect(count() - count('4')).toBe(12);
  });
});

describe('the cache of compiled code', () => {
  /** Runs a command with an empty cache folder, and returns the number of files in it afterwards. */
  async function run(base: string): Promise<number> {
    const env = { XDG_CACHE_HOME: base, NODE_COMPILE_CACHE: '' };
    const { exitCode, stderr } = await quernProcess(['--help'], { cwd: makeFolder(), env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const folder = path.join(base, 'quern');
    if (!existsSync(folder)) return 0;
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      .length;
  }

  it('is kept in a folder of the user', async () => {
    const base = path.join(makeFolder(), 'cache');
    expect(await run(base)).toBeGreaterThan(3);
    expect(statSync(path.join(base, 'quern')).mode & 0o777).toBe(0o700);
  });

  it('is not kept in a folder that other users can write to, or in none', async () => {
    const base = makeFolder();
    mkdirSync(path.join(base, 'quern'));
    chmodSync(path.join(base, 'quern'), 0o770);
    expect(await run(base)).toBe(0);
    const file = path.join(makeFolder(), 'file');
    writeFileSync(file, '');
    expect(await run(file)).toBe(0);
  });
});

describe('quern --version', () => {
  it.each(['--version', '-V', '--quiet --version'])('prints the version: %s', async (line) => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const { stdout, stderr, exitCode } = await quernProcess(line.split(' '), { cwd: makeFolder() });
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 });
  });
});

describe('quern --help', () => {
  it('names every command and exits with 0', async () => {
    const { COMMANDS } = await import('../../src/cli/table/commands.ts');
    const cwd = makeFolder();
    const { stdout, exitCode } = await quernProcess(['--help'], { cwd });
    expect(exitCode).toBe(0);
    for (const { name } of COMMANDS) expect(stdout).toContain(name.split(' ')[0]);
    for (const { name, args, options } of COMMANDS) {
      const help = await quernProcess([...name.split(' '), '--help'], { cwd });
      expect(help.exitCode).toBe(0);
      for (const arg of args) expect(help.stdout).toContain(arg.name);
      for (const { flags } of options) expect(help.stdout).toContain(flags);
    }
  });

  it('suggests a similar command', async () => {
    const { stderr, exitCode } = await quernProcess(['catlog'], { cwd: makeFolder() });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean catalog?');
  });
});
