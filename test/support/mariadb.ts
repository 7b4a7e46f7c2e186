import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import mysql from 'mysql2';
import { findPort } from './find-port.ts';
import { makeServerFolder, type RunningServer } from './postgresql.ts';
import { waitUntil } from './waiting.ts';

const SERVER = '/usr/sbin/mariadbd';
const INSTALLER = '/usr/bin/mariadb-install-db';
const PASSWORD = 'correct horse';

/** Runs a statement as the server's own user; false while it does not answer. */
function runAsRoot(socketPath: string, sql: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const connection = mysql.createConnection({ socketPath, user: 'root', multipleStatements: true });
  connection.on('error', () => {});
  connection.query(sql, (error) => {
    connection.destroy();
    resolve(error === null);
  });
  return promise;
}

async function prepare(socket: string, server: ChildProcess): Promise<void> {
  const sql = `CREATE USER quern@'%' IDENTIFIED BY '${PASSWORD}'; GRANT ALL ON *.* TO quern@'%' WITH GRANT OPTION;
    CREATE DATABASE test CHARACTER SET utf8mb4`;
  await waitUntil(() => {
    if (server.exitCode !== null) throw new Error('MariaDB does not start');
    return existsSync(socket) && runAsRoot(socket, sql);
  });
}

/**
 * A separate server with more settings on loopback, which ends with the tests; null if it is not installed.
 */
export async function startMariadb(
  more: Readonly<Record<string, string>> = {},
): Promise<(RunningServer & { readonly socket: string; kill(): void }) | null> {
  if (!existsSync(SERVER) || !existsSync(INSTALLER)) return null;
  const { folder, as: account } = makeServerFolder('mysql');
  // A server that starts removes temporary tables of other servers from a folder that it shares with them.
  const as = { ...account, env: { ...process.env, TMPDIR: folder } };
  const [data, socket] = [path.join(folder, 'data'), path.join(folder, 'mysqld.sock')];
  const fast = '--innodb-flush-method=nosync';
  execFileSync(
    INSTALLER,
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      fast,
    ],
    as,
  );
  const port = String(await findPort());
  const settings = {
    datadir: data,
    socket,
    port,
    'bind-address': '127.0.0.1',
    'innodb-flush-log-at-trx-commit': '0',
    'max-allowed-packet': '1G',
    'log-error': path.join(folder, 'log'),
    ...more,
  };
  const given = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const server = spawn(SERVER, ['--no-defaults', fast, '--skip-name-resolve', '--skip-log-bin', ...given], {
    ...as,
    stdio: 'ignore',
  });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  try {
    await prepare(socket, server);
  } catch (error) {
    kill();
    throw error;
  }
  return {
    options: { host: '127.0.0.1', port, user: 'quern', password: PASSWORD, database: 'test' },
    socket,
    kill,
    pid: server.pid!,
    stop() {
      process.off('exit', kill);
      kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
