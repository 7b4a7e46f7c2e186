import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ClusterOptions, findJava } from '../test/support/trino/cluster.ts';
import type { Bench } from './bench.ts';
import { cluster, toConnection } from './cluster.ts';
import { measureProcess, measureWorker } from './measure.ts';
import { workers } from './served.ts';

// Compares results of a Trino cluster on this machine with its own clients: the Python client without compression and
// conversions, plain HTTP, and the command line in Java over the spooling protocol.

const python = path.join(import.meta.dirname, '../test/trino/.venv/bin/python');
const LINEITEM = 'SELECT * FROM tpch.sf1.lineitem';
const CLI = 'io.trino:trino-cli:476:jar:executable';

function listBenches(cluster: ClusterOptions, cli: string): readonly Bench[] {
  const port = String(cluster.httpPort);
  const ours =
    (format: string, text: string, spooling = false) =>
    () => {
      const options = JSON.stringify(toConnection(cluster, spooling));
      const args = [path.join(workers, 'server.ts'), 'trino', options, format, text];
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
  return ['csv', 'arrow'].flatMap(compare);
}

/** Downloads the command line of Trino, as its users do. */
function installCli(folder: string): string {
  execFileSync('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${CLI}`, `-DoutputDirectory=${folder}`]);
  return path.join(folder, 'trino-cli-476-executable.jar');
}

function prepare(): readonly Bench[] {
  if (cluster === null || !existsSync(python)) {
    console.log('Trino or PostgreSQL is not installed: the benchmarks of engines are skipped');
    return [];
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return listBenches(cluster, installCli(folder));
}

export const benches: readonly Bench[] = prepare();
