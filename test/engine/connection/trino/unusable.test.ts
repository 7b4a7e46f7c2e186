import { describe } from 'vitest';
import { trinoDriver } from '../../../../src/engine/connection/trino/driver.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { createConnect, describeUnusable } from '../server-errors.ts';

const WRONG = 'wrong horse';

describe.skipIf(!hasCluster)('an unavailable Trino server', () => {
  const cluster = useCluster();
  const connect: ReturnType<typeof createConnect> = (options = {}, ...rest) => {
    const plain = { host: '127.0.0.1', port: String(cluster().httpPort), user: 'reader' };
    return createConnect(trinoDriver, 'trino', plain)(options, ...rest);
  };

  describeUnusable(connect, WRONG, [
    ['a missing catalog', { catalog: 'nowhere' }, 'sql', /nowhere/],
    ['a missing schema', { catalog: 'tpch', schema: 'nowhere' }, 'sql', /nowhere/],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, 'sql', /Mars\/Olympus/],
    ['a password without TLS', { password: WRONG }, 'login', /only used with encryption/],
  ]);
});
