import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, inject } from 'vitest';
import type { ClusterOptions } from './cluster.ts';
import type { LeaseAnswer, LeaseKind } from './leases.ts';

/** For `describe.skipIf`: whether this machine has a cluster. */
export const hasCluster = inject('trino') !== null;
/** The start on a busy machine, after the tests before an exclusive lease. */
const PATIENCE_MS = 600_000;

/**
 * Leases the cluster of this run of tests for the tests of the calling `describe` or file. Returns its options, which
 * are there once the tests run.
 */
export function useCluster(kind: LeaseKind = 'shared'): () => ClusterOptions {
  let socket: Socket | null = null;
  let options: ClusterOptions | null = null;
  beforeAll(async () => {
    socket = connect(inject('trino') ?? '');
    socket.write(`${kind}\n`);
    const [line] = await once(createInterface({ input: socket }), 'line');
    const answer: LeaseAnswer = JSON.parse(line);
    if ('error' in answer) throw new Error(answer.error);
    options = answer.options;
  }, PATIENCE_MS);
  afterAll(() => {
    socket?.destroy();
  });
  return () => {
    if (options === null) throw new Error('the cluster is there only while the tests run');
    return options;
  };
}
