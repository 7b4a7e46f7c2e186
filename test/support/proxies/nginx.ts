import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPort } from '../find-port.ts';
import { waitUntil } from '../waiting.ts';
import { isOpen, readBlock, replaceOnce } from './documented.ts';

/** Where Debian installs nginx; its folder is not in every user's PATH. */
const PROGRAM = '/usr/sbin/nginx';

/** Whether nginx is installed. */
export const hasNginx = existsSync(PROGRAM);

/** A running nginx. */
export interface Nginx {
  /** Its address, with https. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx with the documented configuration, in which only addresses and files differ: `upstream` is the
 * server's address. `folder` stores its files, including a new certificate.
 */
export async function startNginx(folder: string, upstream: string): Promise<Nginx> {
  const port = await findPort();
  const own = path.join(folder, 'nginx');
  mkdirSync(own);
  const [cert, key] = [path.join(own, 'cert.pem'), path.join(own, 'key.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...request, '-out', cert, '-keyout', key], { stdio: 'ignore' });
  let server = readBlock('deploy-proxy.md', 'nginx');
  server = replaceOnce(server, 'listen 443 ssl', `listen 127.0.0.1:${port} ssl`);
  server = replaceOnce(server, '/etc/ssl/quern/cert.pem', cert);
  server = replaceOnce(server, '/etc/ssl/quern/key.pem', key);
  server = replaceOnce(server, 'http://127.0.0.1:8080', upstream);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${path.join(own, name)};`).join('\n');
  const configuration = path.join(own, 'nginx.conf');
  const main = `daemon off;\nmaster_process off;\npid ${path.join(own, 'pid')};\nevents {}\n`;
  writeFileSync(configuration, `${main}http {\naccess_log off;\n${paths}\n${server}\n}\n`);
  const errors = path.join(own, 'error.log');
  const child = spawn(PROGRAM, ['-c', configuration, '-p', own, '-e', errors], { stdio: 'ignore' });
  const closed = once(child, 'close');
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${readFileSync(errors, 'utf8')}`);
    return isOpen(port);
  });
  return {
    url: `https://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
