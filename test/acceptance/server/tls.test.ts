import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendRaw } from '../../support/http.ts';
import { makeHome, quern } from '../../support/quern.ts';
import { serve, type TestServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Makes a key and a certificate for it, `NAME.key` and `NAME.crt`. */
function makeCertificate(folder: string, name: string): void {
  const args = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name}`.split(' ');
  const files = ['-keyout', path.join(folder, `${name}.key`), '-out', path.join(folder, `${name}.crt`)];
  execFileSync('openssl', [...args, ...files], { stdio: 'ignore' });
}

/** The name in the certificate of a server, after a request that must succeed. */
async function readName({ url }: TestServer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
  let text = '';
  let name = '';
  socket.on('secureConnect', () => {
    name = String(socket.getPeerCertificate().subject.CN);
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  });
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', reject);
  socket.on('close', () => resolve(text.startsWith('HTTP/1.1 200 ') ? name : text));
  return promise;
}

describe.skipIf(!hasOpenssl)('TLS', () => {
  it('is reloaded when its files change, and stays active when the new files do not match', async () => {
    const cwd = await makeHome();
    for (const name of ['first', 'second', 'third']) makeCertificate(cwd, name);
    const [cert, key] = [path.join(cwd, 'server.crt'), path.join(cwd, 'server.key')];
    const put = (file: string, from: string) => {
      writeFileSync(`${file}.new`, readFileSync(path.join(cwd, from)));
      renameSync(`${file}.new`, file);
    };
    put(cert, 'first.crt');
    put(key, 'first.key');
    const server = await serve(cwd, ['--tls-cert', cert, '--tls-key', 'server.key']);
    onTestFinished(() => server.kill());
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await readName(server)).toBe('first');
    expect(await sendRaw(server.url, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('200');

    put(cert, 'second.crt');
    await eventually(() => expect(server.log()).toContain('is not the private key of the certificate'));
    expect(await readName(server)).toBe('first');
    put(key, 'second.key');
    await eventually(async () => expect(await readName(server)).toBe('second'));

    writeFileSync(cert, 'no certificate');
    await eventually(() => expect(server.log()).toContain('must begin with a certificate in PEM'));
    expect(await readName(server)).toBe('second');
    expect(await server.stop()).toBe(0);
  });

  it('follows the target of a link', async () => {
    const cwd = await makeHome();
    for (const name of ['one', 'two']) {
      makeCertificate(cwd, name);
      mkdirSync(path.join(cwd, `${name}.d`));
      renameSync(path.join(cwd, `${name}.crt`), path.join(cwd, `${name}.d`, 'crt'));
      renameSync(path.join(cwd, `${name}.key`), path.join(cwd, `${name}.d`, 'key'));
    }
    symlinkSync('one.d', path.join(cwd, 'now'));
    const server = await serve(cwd, ['--tls-cert', 'now/crt', '--tls-key', 'now/key']);
    onTestFinished(() => server.kill());
    expect(await readName(server)).toBe('one');
    symlinkSync('two.d', path.join(cwd, 'next'));
    renameSync(path.join(cwd, 'next'), path.join(cwd, 'now'));
    await eventually(async () => expect(await readName(server)).toBe('two'));
  });

  it('refuses invalid files, and reports the reason', async () => {
    const cwd = await makeHome();
    makeCertificate(cwd, 'a');
    makeCertificate(cwd, 'b');
    const encrypt = 'rsa -aes256 -passout pass:secret -in a.key -out locked.key'.split(' ');
    execFileSync('openssl', encrypt, { cwd, stdio: 'ignore' });
    writeFileSync(path.join(cwd, 'empty'), '');
    for (const [cert, key, message] of [
      ['a.crt', 'b.key', `${cwd}/b.key is not the private key of the certificate in ${cwd}/a.crt\n`],
      ['a.crt', 'locked.key', `${cwd}/locked.key must hold a private key in PEM that is not encrypted: `],
      ['a.crt', 'a.crt', `${cwd}/a.crt must hold a private key in PEM that is not encrypted: `],
      ['a.key', 'a.key', `${cwd}/a.key must begin with a certificate in PEM: `],
      ['empty', 'a.key', `${cwd}/empty must begin with a certificate in PEM: `],
      ['none', 'a.key', `${cwd}/none cannot be read: ENOENT`],
      ['.', 'a.key', `${cwd} cannot be read: EISDIR`],
    ]) {
      const args = ['serve', '--port', '0', '--tls-cert', cert!, '--tls-key', key!];
      const { exitCode, stderr } = await quern(args, { cwd });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error: ${message}`)]);
    }
  });
});
