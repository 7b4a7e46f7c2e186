import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import type { Connection, Driver } from '../../../../src/engine/connection/contract/connection.ts';
import { never } from '../results.ts';
import { describeCancel, describeLeaving } from './describe-cancel.ts';
import { describeErrors } from './describe-errors.ts';
import { describeLoss } from './describe-loss.ts';
import { describeMemory } from './describe-memory.ts';
import { describePublishing } from './describe-publishing.ts';
import { describeRelations } from './describe-relations.ts';
import { describeResults } from './describe-results.ts';
import { describeSessions } from './describe-sessions.ts';
import type { Connect, DriverUnderTest } from './driver-under-test.ts';

/**
 * The requirements of every driver (docs/reference/drivers.md#requirements-of-every-driver); each engine runs them with
 * its own SQL.
 */
export function describeDriver(name: string, database: DriverUnderTest): void {
  describe(name, () => {
    let driver: Driver;
    let open: Connection[] = [];
    const connect: Connect = async (overrides, options, createsSchema = false) => {
      const spec = { ...database.spec(overrides, options), createsSchema };
      const connection = await driver.connect(spec, never);
      open.push(connection);
      return connection;
    };
    beforeAll(async () => {
      driver = await database.load();
    });
    afterEach(async () => {
      await Promise.all(open.map((connection) => connection.close()));
      open = [];
    });
    afterAll(() => driver.close());

    describeResults(database, connect);
    describeMemory(database);
    describeErrors(database, connect);
    describeCancel(database, connect);
    describeLeaving(database, connect);
    describeLoss(database, connect);
    describeSessions(database, connect);
    describeRelations(database, connect);
    describePublishing(database, connect);
  });
}
