import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, inject } from 'vitest';
import type { ClusterOptions } from './cluster.ts';
import type { ClusterAnswer } from './serve-cluster.ts';

/** For `describe.skipIf`: whether this machine has a cluster. */
export const hasCluster = inject('trino') !== null;
/** The start on a busy machine. */
const PATIENCE_MS = 300_000;

/**
 * Provides the cluster of this run of tests to the tests of the calling `describe` or file. Returns its options, which
 * are there once the tests run.
 */
export function useCluster(): () => ClusterOptions {
  let options: ClusterOptions | null = null;
  beforeAll(async () => {
    const answer: ClusterAnswer = JSON.parse(await text(connect(inject('trino') ?? '')));
    if ('error' in answer) throw new Error(answer.error);
    options = answer.options;
  }, PATIENCE_MS);
  return () => {
    if (options === null) throw new Error('the cluster is there only while the tests run');
    return options;
  };
}
