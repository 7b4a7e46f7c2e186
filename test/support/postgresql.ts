import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPort } from './find-port.ts';
import type { ServerOptions } from './servers.ts';

const DEBIAN = '/usr/lib/postgresql';
const PASSWORD = 'correct horse';

/** The folder of PostgreSQL's programs; null if they are not installed. */
function findPrograms(): string | null {
  if (!existsSync(DEBIAN)) return null;
  const [newest] = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  const programs = path.join(DEBIAN, newest ?? '', 'bin');
  return existsSync(path.join(programs, 'initdb')) ? programs : null;
}

/** The user and group ids of an account. */
function findAccount(name: string): readonly [uid: number, gid: number] {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((own) => own.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`there is no account ${name}`);
  const [, , uid, gid] = line.split(':');
  return [Number(uid), Number(gid)];
}

/** A folder for a server that must not run as root. */
export function makeServerFolder(account: string): {
  readonly folder: string;
  readonly as: ExecFileSyncOptions;
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-server-'));
  if (process.getuid?.() !== 0) return { folder, as: { stdio: 'pipe', cwd: folder } };
  const [uid, gid] = findAccount(account);
  chownSync(folder, uid, gid);
  return { folder, as: { uid, gid, stdio: 'pipe', cwd: folder } };
}

export interface RunningServer {
  readonly options: ServerOptions;
  readonly pid: number;
  stop(): void;
}

/**
 * A separate server with more settings on loopback, which ends with the tests; null if it is not installed.
 */
export async function startPostgresql(
  more: Readonly<Record<string, string>> = {},
): Promise<RunningServer | null> {
  const programs = findPrograms();
  if (programs === null) return null;
  const { folder, as } = makeServerFolder('postgres');
  const run = (program: string, ...args: string[]) => execFileSync(path.join(programs, program), args, as);
  const data = path.join(folder, 'data');
  const password = path.join(folder, 'password');
  writeFileSync(password, `${PASSWORD}\n`, { mode: 0o644 });
  run(
    'initdb',
    '-D',
    data,
    '-U',
    'quern',
    '-A',
    'scram-sha-256',
    `--pwfile=${password}`,
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  );
  const port = await findPort();
  const settings = {
    port: String(port),
    unix_socket_directories: folder,
    listen_addresses: '127.0.0.1',
    fsync: 'off',
    max_connections: '60',
    ...more,
  };
  const given = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  run('pg_ctl', '-D', data, '-w', '-s', '-l', path.join(folder, 'log'), '-o', given.join(' '), 'start');
  return {
    options: {
      host: '127.0.0.1',
      port: String(port),
      user: 'quern',
      password: PASSWORD,
      database: 'postgres',
    },
    pid: Number.parseInt(readFileSync(path.join(data, 'postmaster.pid'), 'utf8'), 10),
    stop() {
      run('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
