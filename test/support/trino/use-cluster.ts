import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { beforeAll, inject, vi } from 'vitest';
import { CLUSTER_PATIENCE_MS, type ClusterOptions } from './cluster.ts';
import type { ClusterAnswer } from './serve-cluster.ts';

/** For `describe.skipIf`: whether this machine has a cluster. */
export const hasCluster = inject('trino') !== null;

/**
 * The time limit of tests that use the cluster: most need a few seconds, but the first queries of new nodes can take
 * more than a minute on a busy machine.
 */
const PATIENCE_MS = 600_000;

/** For tests of what several nodes do differently: a coordinator with two workers. */
export const THREE_NODES = { workers: 2 };

/**
 * Leases a cluster of this run of tests for the tests of the calling `describe` or file: one node, which needs less
 * processor time, or `THREE_NODES`. Returns its options, which are there once the tests run. Later tests and hooks of
 * the file get more time.
 */
export function useCluster({ workers } = { workers: 0 }): () => ClusterOptions {
  vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });
  let options: ClusterOptions | null = null;
  beforeAll(async () => {
    const lease = connect(inject('trino') ?? '');
    lease.write(`${workers}\n`);
    const answer: ClusterAnswer = JSON.parse(await readLine(lease));
    if ('error' in answer) throw new Error(answer.error);
    options = answer.options;
    return () => void lease.destroy();
  }, CLUSTER_PATIENCE_MS);
  return () => {
    if (options === null) throw new Error('the cluster is there only while the tests run');
    return options;
  };
}

async function readLine(socket: Socket): Promise<string> {
  for await (const line of createInterface(socket)) return line;
  throw new Error('the run of tests has ended');
}
