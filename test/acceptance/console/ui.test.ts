import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath, openPersistent } from '../../support/chromium.ts';
import { type Answer, send } from '../../support/http.ts';
import { makeFolder, makeHome, quern, writeFiles } from '../../support/quern.ts';
import { runQuern, serve, shareServer } from '../../support/server.ts';
import { openTab } from './browser.ts';
import { startUi } from './start-ui.ts';

const shared = shareServer();
const AGAIN = 'run quern ui again';

/** The file that `quern ui --no-open` prints, for a server that runs. */
async function makeFile(cwd = shared.server.cwd): Promise<string> {
  return (await runQuern(cwd, 'ui --no-open')).trim();
}

function readSecret(file: string): string {
  return /name="secret" value="([\w-]{43})"/.exec(readFileSync(file, 'utf8'))![1]!;
}

/** Sends the form of a file. */
function redeem(
  url: string,
  secret: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send(url, 'POST', '/console/api/one-time-sign-in', {
    headers: { origin: 'null', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: `secret=${secret}`,
  });
}

/** The text of a page that refuses a sign-in. */
function readRefusal({ text, headers }: Answer): string {
  expect(headers['set-cookie']).toBeUndefined();
  return text.replaceAll(/<[^>]*>|&nbsp;/g, ' ').replaceAll(/\s+/g, ' ');
}

/** A program `xdg-open` that comes first in the path. */
function makeOpener(script: string): Readonly<Record<string, string>> {
  const folder = makeFolder();
  writeFiles(folder, { 'xdg-open': `#!/bin/sh\n${script}\n` });
  chmodSync(path.join(folder, 'xdg-open'), 0o755);
  return { PATH: `${folder}:${process.env.PATH}` };
}

/** An address of this machine that is not its loopback address. */
const otherAddress = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe.skipIf(chromiumPath === null)('quern ui in a browser', () => {
  it('starts a server, and signs the owner in without a password; no history has the secret', async () => {
    const cwd = await makeHome();
    const ui = startUi(cwd, ['--no-open']);
    const file = await ui.find(/^(.+\.html)$/m);
    const secret = readSecret(file);
    const profile = makeFolder();
    const context = await openPersistent(profile);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    expect(complaints).toEqual([]);
    expect(existsSync(file)).toBe(false);
    await context.close();
    const files = readdirSync(profile, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const kept = files.map((each) => readFileSync(path.join(each.parentPath, each.name)));
    expect(kept.some((content) => content.includes('/choose-password'))).toBe(true);
    expect(kept.some((content) => content.includes(secret))).toBe(false);
    expect(ui.text()).not.toContain(secret);
    expect(await ui.interrupt()).toBe(0);
    expect(readdirSync(path.join(cwd, '.quern'))).not.toContain('server.json');
  });

  it('signs in once with each file, and says what to do about a used one', async () => {
    const { url } = shared.server;
    const [first, second] = [await makeFile(), await makeFile()];
    const copy = path.join(makeFolder(), 'copy.html');
    copyFileSync(first, copy);
    const { page, complaints } = await openTab('', pathToFileURL(first).href);
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    const other = await openTab('', pathToFileURL(copy).href);
    await other.page.getByRole('heading', { name: 'Sign-in failed' }).waitFor();
    await other.page.getByText(AGAIN).waitFor();
    await other.page.getByRole('link', { name: 'Go to the sign-in page' }).click();
    await other.page.waitForURL(`${url}/login`);
    await other.page.goto(pathToFileURL(second).href);
    await other.page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    expect(complaints).toEqual([]);
    const audit = await runQuern(shared.server.cwd, 'admin audit --action sign-in --limit 3 --json');
    expect(JSON.parse(audit).data).toMatchObject([
      { actor: 'admin', object: 'quern ui: admin', result: 'done', address: '127.0.0.1' },
      { actor: null, object: 'quern ui', result: 'refused' },
      { actor: 'admin', object: 'quern ui: admin', result: 'done' },
    ]);
  });
});

describe('quern ui', () => {
  it('opens the file with the program for it, which is given nothing but its path', async () => {
    const folder = makeFolder();
    const env = makeOpener(`echo "$@" > ${folder}/opened; while [ -e "$1" ]; do sleep 0.1; done`);
    const cwd = await makeHome();
    const ui = startUi(cwd, [], env);
    await ui.find(/(opened the console in a browser)/);
    const file = readFileSync(path.join(folder, 'opened'), 'utf8').trim();
    const secret = readSecret(file);
    expect(path.dirname(file)).toBe(path.join(cwd, '.quern/ui'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    const commands = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return (
            readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'latin1')
          );
        } catch {
          return '';
        }
      });
    expect(commands.some((line) => line.includes(file))).toBe(true);
    expect(commands.some((line) => line.includes(secret))).toBe(false);
    expect((await redeem(await ui.find(/listening on (\S+)/), secret)).status).toBe(303);
    expect(ui.text()).not.toContain(secret);
    expect(ui.text()).not.toContain('no administrator has a password');
    const home = readdirSync(path.join(cwd, '.quern'), { recursive: true, withFileTypes: true });
    for (const each of home.filter((found) => found.isFile())) {
      expect(readFileSync(path.join(each.parentPath, each.name)).includes(secret), each.name).toBe(false);
    }
    expect(await ui.interrupt()).toBe(0);
  });

  it('says which file to open where no browser can be started', async () => {
    const { cwd } = shared.server;
    const found = await quern(['ui'], { cwd, env: makeOpener('exit 3') });
    expect(found.exitCode).toBe(0);
    expect(found.stderr).toBe(
      'no browser could be started: open this file in a browser on this machine within 15 minutes\n',
    );
    expect(existsSync(String(found.stdout).trim())).toBe(true);
    const missing = await quern(['ui'], { cwd, env: { PATH: makeFolder() } });
    expect(missing).toMatchObject({ exitCode: 0, stderr: found.stderr });
  });

  it('leaves the settings of a server that runs as they are', async () => {
    const { cwd, url } = shared.server;
    const { stdout, stderr, exitCode } = await quern(['ui', '--no-open', '--port', '9'], { cwd });
    expect({ stderr, exitCode }).toEqual({
      stderr:
        'open this file in a browser on this machine within 15 minutes\n' +
        'warning: a server runs on this home already: its settings stay as they are\n',
      exitCode: 0,
    });
    expect(readFileSync(String(stdout).trim(), 'utf8')).toContain(`action="${url}/`);
  });

  it('is for the owner alone', async () => {
    const { cwd } = shared.server;
    const { stderr, exitCode } = await quern(['--as', 'admin', 'ui', '--no-open'], { cwd });
    expect(stderr).toContain('--as admin has no effect here: `quern ui` signs in the owner of the home');
    expect(exitCode).toBe(2);
  });

  it('keeps five files, and deletes all of them when the server stops', async () => {
    const cwd = await makeHome();
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    const files = [];
    for (let i = 0; i < 6; i++) files.push(await makeFile(cwd));
    expect(files.map(existsSync)).toEqual([false, true, true, true, true, true]);
    await server.stop();
    expect(files.map(existsSync)).toEqual(files.map(() => false));
  });

  it('deletes the files of a server that was killed, when the next one starts', async () => {
    const cwd = await makeHome();
    const killed = await serve(cwd);
    const file = await makeFile(cwd);
    await killed.kill();
    expect(existsSync(file)).toBe(true);
    const next = await serve(cwd);
    onTestFinished(() => next.kill());
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-proto', 'http'],
    ['x-forwarded-host', '127.0.0.1'],
    ['x-forwarded-anything', ''],
    ['forwarded', 'for=127.0.0.1'],
    ['x-real-ip', '127.0.0.1'],
    ['via', '1.1 proxy'],
    ['origin', 'https://example.org'],
    ['origin', 'http://127.0.0.1:1'],
    ['host', 'quern.example.org'],
    ['host', '127.0.0.1.example.org'],
    ['host', '192.0.2.1:8080'],
  ])('refuses a request with %s: %s, and the secret with it', async (name, value) => {
    const { url } = shared.server;
    const file = await makeFile();
    const secret = readSecret(file);
    const answer = await redeem(url, secret, { [name]: value });
    expect(answer.status).toBe(403);
    expect(readRefusal(answer)).toContain('run quern ui again there');
    expect(existsSync(file)).toBe(false);
    expect((await redeem(url, secret)).status).toBe(401);
    expect((await redeem(url, readSecret(await makeFile()))).status).toBe(303);
  });

  it('refuses forms without one secret that can be read', async () => {
    const { url } = shared.server;
    const secret = readSecret(await makeFile());
    expect((await redeem(url, `${secret}&secret=${secret}`)).status).toBe(400);
    expect((await redeem(url, 'x'.repeat(20_000))).status).toBe(413);
    expect((await redeem(url, secret, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await redeem(url, secret)).status).toBe(303);
  });

  it.skipIf(otherAddress === undefined)('refuses a request from another address', async () => {
    const cwd = await makeHome();
    const server = await serve(cwd, ['--host', '0.0.0.0']);
    onTestFinished(() => server.kill());
    const file = await makeFile(cwd);
    const url = `http://127.0.0.1:${new URL(server.url).port}`;
    expect(readFileSync(file, 'utf8')).toContain(`action="${url}/`);
    const elsewhere = url.replace('127.0.0.1', otherAddress!);
    const answer = await redeem(elsewhere, readSecret(file), { host: new URL(url).host });
    expect(answer.status).toBe(403);
    expect(readRefusal(answer)).toContain('without a proxy');
    expect((await redeem(url, readSecret(await makeFile(cwd)))).status).toBe(303);
  });

  it.skipIf(otherAddress === undefined)('refuses a server that does not listen on loopback', async () => {
    const cwd = await makeHome();
    const server = await serve(cwd, ['--host', otherAddress!]);
    onTestFinished(() => server.kill());
    const { stderr, exitCode } = await quern(['ui', '--no-open'], { cwd });
    expect(stderr).toBe(`error: the server listens on ${server.url} only: serve with --host 127.0.0.1\n`);
    expect(exitCode).toBe(2);
    const own = await quern(['ui', '--no-open', '--port', '0', '--host', otherAddress!], {
      cwd: await makeHome(),
    });
    expect(own.stderr).toContain('only: serve with ');
    expect(own.exitCode).toBe(2);
  });
});
