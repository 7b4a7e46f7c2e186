import { describe } from 'vitest';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { TRINO } from '../reading/attacks.ts';
import { describeReading } from '../reading/describe-reading.ts';

describe.skipIf(!hasCluster)('the list of Trino', () => {
  const cluster = useCluster();

  describeReading(
    'Trino',
    () => {
      const { host, httpPort } = cluster();
      const options = { host, port: String(httpPort), user: 'test', catalog: 'memory', schema: 'reading' };
      return { name: 'shop', kind: 'trino', options, overrides: {}, createsSchema: true };
    },
    TRINO,
  );
});
