import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from './copy-checkout.ts';
import { hasProgram, hasTools, readRootFile, root, runTool } from './tools.ts';

const INSTALL_MS = 900_000;

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of the Dockerfile, without comments; each continued line is a part of its instruction. */
function readDockerfile(): readonly Instruction[] {
  const lines = readRootFile('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', '');
  return [...lines.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name, text]) => ({ name: name!, text: text! }));
}

const instructions = readDockerfile();
/** The instructions of the stage that becomes the image. */
const image: readonly Instruction[] = instructions.slice(
  instructions.findLastIndex(({ name }) => name === 'FROM'),
);
const textsOf = (name: string, of = image) => of.filter((each) => each.name === name).map(({ text }) => text);

/** The variables of the image. */
function readVariables(): Record<string, string> {
  const pairs = textsOf('ENV')
    .join(' ')
    .split(/\s+/)
    .map((pair) => pair.split('='));
  return Object.fromEntries(pairs);
}

/** Whether `.dockerignore` sends a file to the build. */
function isInContext(file: string): boolean {
  const lines = readRootFile('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return !lines.some((line) => path.matchesGlob(file, line) || path.matchesGlob(file, `${line}/**`));
}

describe('the Dockerfile', () => {
  it.skipIf(!hasTools)('passes the checks of hadolint', () => {
    expect(runTool('hadolint', '--failure-threshold', 'info', 'Dockerfile')).toEqual({
      status: 0,
      output: '',
    });
  });

  it('pins the version of Node.js that the project uses', () => {
    const { devDependencies } = JSON.parse(readRootFile('package.json'));
    const bases = textsOf('FROM', instructions).map((text) => text.split(' ')[0]);
    expect(new Set(bases)).toEqual(new Set([`node:${devDependencies.node}-bookworm-slim`]));
  });

  it('runs the server without a shell, as a user by number, with its home in the volume', () => {
    expect([textsOf('ENTRYPOINT'), textsOf('CMD'), textsOf('USER')]).toEqual([
      ['["quern"]'],
      ['["serve"]'],
      ['1000:1000'],
    ]);
    const variables = readVariables();
    expect(textsOf('VOLUME')).toEqual([variables.QUERN_HOME]);
    expect(textsOf('EXPOSE')).toEqual([variables.QUERN_PORT]);
  });

  it('sends neither secrets nor homes to the build', () => {
    for (const file of [
      '.git/config',
      '.env',
      'web/.env',
      '.quern/secret.key',
      'node_modules/x/y',
      'test/a.ts',
    ]) {
      expect([file, isInContext(file)]).toEqual([file, false]);
    }
    for (const file of [
      'src/cli/main.ts',
      'web/index.html',
      'package-lock.json',
      '.npmrc',
      'deploy/docker/health.js',
    ]) {
      expect([file, isInContext(file)]).toEqual([file, true]);
    }
  });
});

const hasRegistry = hasProgram(
  'npm',
  ['ping', '--fetch-retries=0', '--loglevel=silent'],
  "the image's contents",
);

describe.skipIf(!hasRegistry)("the image's contents", () => {
  const folder = mkdtempSync('/var/tmp/quern-image-');
  const opt = path.join(folder, 'quern');
  const home = path.join(folder, 'home');
  const bin = path.join(folder, 'bin');
  /** Replaces the folders of the image by folders of this test. */
  const here = (text: string) =>
    text
      .replaceAll('/opt/quern', opt)
      .replaceAll('/usr/local/bin', bin)
      .replaceAll('/var/lib/quern', home)
      .replaceAll(/(?<= )\/tmp(?=[/ ])/g, path.join(folder, 'tmp'));

  beforeAll(() => {
    const context = path.join(folder, 'build');
    for (const name of ['tmp', 'home', 'bin']) mkdirSync(path.join(folder, name));
    copyCheckout(context, isInContext);
    // The step before installs these packages. As links, they take no space; not every file system has them.
    const modules = path.join(context, 'node_modules');
    const copied = spawnSync('cp', ['-al', path.join(root, 'node_modules'), modules]);
    if (copied.status !== 0) cpSync(path.join(root, 'node_modules'), modules, { recursive: true });
    const build = instructions.slice(0, instructions.length - image.length);
    const [, make = '', install = ''] = textsOf('RUN', build);
    // The other part of this step creates the home for a user that only the image has.
    const [link = ''] = textsOf('RUN')[0]!.split(' && ');
    expect(link).toMatch(/^ln -s/);
    for (const [cwd, command] of [
      [context, make],
      [opt, install],
      [folder, link],
    ] as const) {
      const env = { ...process.env, npm_config_cache: path.join(folder, 'npm') };
      const ran = spawnSync('bash', ['-o', 'pipefail', '-c', here(command)], { cwd, env, encoding: 'utf8' });
      expect(ran.status, `${command}\n${ran.stdout}${ran.stderr}`).toBe(0);
    }
  }, INSTALL_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const environment = () => {
    const variables = Object.entries(readVariables()).map(([name, value]) => [name, here(value)]);
    return {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: folder,
      ...Object.fromEntries(variables),
      QUERN_PORT: '0',
    };
  };

  /** The exit code of the health check of the image, and its output. */
  function checkHealth() {
    const [program, ...args] = JSON.parse(here(textsOf('HEALTHCHECK')[0]!.replace(/^.*? CMD /, '')));
    expect(program).toBe('node');
    const { status, stdout } = spawnSync(process.execPath, args, { env: environment(), encoding: 'utf8' });
    return [status, stdout];
  }

  async function start(...args: readonly string[]) {
    const command = [...JSON.parse(textsOf('ENTRYPOINT')[0]!), ...JSON.parse(textsOf('CMD')[0]!), ...args];
    const child = spawn(command[0], command.slice(1), {
      cwd: home,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    child.stderr.resume();
    for await (const line of createInterface({ input: child.stdout })) {
      return { child, closed, line };
    }
    throw new Error('the server did not start');
  }

  it('has the packages that it needs, and no tools to build', () => {
    expect(existsSync(path.join(opt, 'node_modules/fastify'))).toBe(true);
    for (const name of ['vite', 'typescript', 'vitest', 'node']) {
      expect([name, existsSync(path.join(opt, 'node_modules', name))]).toEqual([name, false]);
    }
  });

  it('serves a new home, is healthy until a signal, and then ends with exit code 0', async () => {
    expect(checkHealth()).toEqual([1, expect.stringContaining('no server of this home')]);
    const { child, closed, line } = await start();
    expect(line).toMatch(/^listening on http:\/\/0\.0\.0\.0:\d+$/);
    expect(checkHealth()).toEqual([
      0,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/health\/ready: 200\n$/),
    ]);
    child.kill('SIGSTOP');
    expect(checkHealth()).toEqual([1, expect.stringContaining('abort')]);
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await closed;
    expect(child.exitCode).toBe(0);
    expect(checkHealth()[0]).toBe(1);
  });

  it('is healthy with a certificate, which is for another name', async () => {
    const [cert, key] = ['cert.pem', 'key.pem'].map((name) => path.join(folder, name));
    const request = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=quern.example.org',
    ];
    expect(spawnSync('openssl', [...request, '-out', cert!, '-keyout', key!]).status).toBe(0);
    const { child, closed } = await start('--tls-cert', cert!, '--tls-key', key!);
    expect(checkHealth()).toEqual([0, expect.stringContaining('https://127.0.0.1')]);
    child.kill('SIGTERM');
    await closed;
  });
});
