import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgresql } from '../test/support/postgresql.ts';
import { type ClusterOptions, findJava, hasTrino, startCluster } from '../test/support/trino/cluster.ts';
import type { Bench } from './bench.ts';
import { measureProcess, measureWorker } from './measure.ts';

// Compares results of a Trino cluster on this machine with its own clients: the Python client without compression and
// conversions, plain HTTP, and the command line in Java over the spooling protocol. ROWS=100 adds 100 M rows to those
// whose memory is measured.

const workers = path.join(import.meta.dirname, 'workers');
const python = path.join(import.meta.dirname, '../test/trino/.venv/bin/python');
const LINEITEM = 'SELECT * FROM tpch.sf1.lineitem';
const CLI = 'io.trino:trino-cli:476:jar:executable';
/**
 * As on a server, with a thorough compiler. The command line in Java may print for a while without asking the server for
 * more.
 */
const TUNING = { jvm: ['-Xmx2G'], settings: { 'query.client.timeout': '5m' } };
const MILLIONS = process.env.ROWS === '100' ? [10, 100] : [10];

function toOptions(cluster: ClusterOptions, spooling: boolean): string {
  const { host, httpPort } = cluster;
  return JSON.stringify({ host, port: String(httpPort), user: 'bench', spooling: String(spooling) });
}

function listBenches(cluster: ClusterOptions, cli: string): readonly Bench[] {
  const port = String(cluster.httpPort);
  const ours =
    (format: string, text: string, spooling = false) =>
    () => {
      const args = [path.join(workers, 'server.ts'), 'trino', toOptions(cluster, spooling), format, text];
      return measureWorker(process.execPath, args);
    };
  const client = () => measureWorker(python, [path.join(workers, 'trino-client.py'), port, LINEITEM]);
  const raw = () => measureWorker(process.execPath, [path.join(workers, 'trino-raw.ts'), port, LINEITEM]);
  const java = () => {
    const args = ['-jar', cli, '--server', `http://127.0.0.1:${port}`, '--user', 'bench', '--output-format'];
    return measureProcess(findJava(), [...args, 'CSV', '--execute', LINEITEM], '/');
  };
  const compare = (format: string): readonly Bench[] => [
    {
      name: `6,001,215 rows of lineitem from Trino to ${format} ÷ the Python client`,
      peerName: 'Python client',
      runs: 3,
      ours: ours(format, LINEITEM),
      peer: client,
      limits: [{ metric: 'wall', most: 1 }],
    },
    {
      name: `6,001,215 rows of lineitem from Trino to ${format} ÷ plain HTTP`,
      peerName: 'HTTP',
      runs: 3,
      ours: ours(format, LINEITEM),
      peer: raw,
      limits: [{ metric: 'wall', most: 1.5 }],
    },
    {
      name: `6,001,215 rows of lineitem from Trino to ${format} by spooling ÷ the command line in Java to CSV`,
      peerName: 'Java',
      runs: 3,
      ours: ours(format, LINEITEM, true),
      peer: java,
      limits: [{ metric: 'wall', most: 1.2 }],
    },
  ];
  const limit = (millions: number) => `SELECT * FROM tpch.sf100.lineitem LIMIT ${millions}000000`;
  const memory = MILLIONS.flatMap((millions) =>
    [false, true].map((spooling): Bench => {
      return {
        name: `peak memory of ${millions} M rows ÷ 1 M rows from Trino to csv${spooling ? ' by spooling' : ''}`,
        peerName: '1 M rows',
        runs: 1,
        isWarm: true,
        ours: ours('csv', limit(millions), spooling),
        peer: ours('csv', limit(1), spooling),
        limits: [
          { metric: 'peak', most: 1.15 },
          { metric: 'wall', most: null },
        ],
      };
    }),
  );
  return [...['csv', 'arrow'].flatMap(compare), ...memory];
}

/** Downloads the command line of Trino, as its users do. */
function installCli(folder: string): string {
  execFileSync('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${CLI}`, `-DoutputDirectory=${folder}`]);
  return path.join(folder, 'trino-cli-476-executable.jar');
}

async function prepare(): Promise<readonly Bench[]> {
  const postgresql = await startPostgresql();
  if (!hasTrino || !existsSync(python) || postgresql === null) {
    console.log('Trino or PostgreSQL is not installed: the benchmarks of engines are skipped');
    postgresql?.stop();
    return [];
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
  process.on('exit', () => {
    postgresql.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  // The nodes end with this process.
  const { options } = await startCluster(postgresql.options, TUNING);
  return listBenches(options, installCli(folder));
}

export const benches: readonly Bench[] = await prepare();
