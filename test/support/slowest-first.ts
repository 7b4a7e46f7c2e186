import { existsSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { usesCluster } from './spent/groups.ts';

/** Files that take more than a minute on two processors, the longest ones first. */
const SLOWEST: readonly string[] = [
  'docs/docs.test.ts',
  'semantic/compiler-rows.test.ts',
  'acceptance/deploy/action.test.ts',
  'acceptance/cli/warehouse.test.ts',
  'acceptance/http/schemathesis.test.ts',
  'acceptance/server/attacks.test.ts',
  'acceptance/sso/keycloak.test.ts',
  'acceptance/sso/simplesamlphp.test.ts',
  'acceptance/server/command-line.test.ts',
  'acceptance/server/nginx.test.ts',
  'acceptance/cli/semantic.test.ts',
  'acceptance/cli/examples.test.ts',
  'engine/connection/trino/driver.test.ts',
  'engine/run/published-names.test.ts',
  'engine/connection/trino/spooling.test.ts',
  'server/exec/downloads.test.ts',
  'server/exec/streaming.test.ts',
  'engine/connection/duckdb/gate/matrix.test.ts',
  'execution/engine-process/process-host.test.ts',
].map((file) => path.resolve(import.meta.dirname, '..', file));

const missing = SLOWEST.filter((file) => !existsSync(file));
if (missing.length > 0)
  throw new Error(`Not found: ${missing.join(', ')}; correct test/support/slowest-first.ts`);

/**
 * Starts the files that use the cluster one after the other, because it stops when none uses it; and the slowest files
 * before the others, so that no processor waits for one of them at the end. Without this, vitest orders the files by
 * their size, unless it has run them before.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(({ moduleId }) => [moduleId, rank(moduleId)]));
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => (ranks.get(one.moduleId) ?? 0) - (ranks.get(other.moduleId) ?? 0));
  }
}

function rank(file: string): number {
  const index = SLOWEST.indexOf(file);
  const place = index < 0 ? SLOWEST.length : index;
  return usesCluster(file) ? place - SLOWEST.length - 1 : place;
}
