import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { findPort } from '../find-port.ts';
import { waitUntil } from '../waiting.ts';
import { isOpen, readBlock, replaceOnce } from './documented.ts';

/** Whether Caddy is installed. */
export const hasCaddy = spawnSync('caddy', ['version']).status === 0;
if (!hasCaddy) process.stderr.write('tests of Caddy are skipped: `.ci/run` installs it\n');

/** A running Caddy. */
export interface Caddy {
  /** Its address, with http. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The documented configuration. */
export const readCaddyfile = () => readBlock('deploy-proxy.md', 'caddy');

/** Runs `caddy` on a text as its Caddyfile, in a folder for its own files. */
export function runCaddy(folder: string, args: readonly string[], text: string) {
  const file = writeCaddyfile(folder, text);
  return spawnSync('caddy', [...args, file.option, file.name], { env: file.env, encoding: 'utf8' });
}

/**
 * Starts Caddy with the documented configuration, in which only addresses differ: `upstream` is the server's
 * host and port. It listens without TLS, because a certificate needs a public name.
 */
export async function startCaddy(folder: string, upstream: string): Promise<Caddy> {
  const port = await findPort();
  const site = replaceOnce(readCaddyfile(), 'quern.example.org {', `http://127.0.0.1:${port} {`);
  const text = `{\n\tadmin off\n\tauto_https off\n}\n${replaceOnce(site, '127.0.0.1:8080', upstream)}`;
  const { name, option, env } = writeCaddyfile(folder, text);
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', option, name], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (line: string) => {
    log += line;
  });
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`Caddy did not start: ${log}`);
    return isOpen(port);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function writeCaddyfile(folder: string, text: string) {
  const own = path.join(folder, 'caddy');
  mkdirSync(own, { recursive: true });
  const name = path.join(own, 'Caddyfile');
  writeFileSync(name, text);
  const env = { PATH: process.env.PATH, HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own };
  return { name, option: '--config', env };
}
