import path from 'node:path';
import { beforeAll, describe, inject, it } from 'vitest';
import type { ConnectionSpec } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { makeFolder } from '../../../support/quern.ts';
import { never, query } from '../results.ts';
import { DUCKDB, type Grammar, MARIADB, POSTGRESQL } from './attacks.ts';
import { describeReading } from './describe-reading.ts';

const toSpec = (kind: ConnectionSpec['kind'], options: Record<string, string>): ConnectionSpec => ({
  name: 'shop',
  kind,
  options,
  overrides: {},
});

describeReading('DuckDB', () => toSpec('duckdb', { file: path.join(makeFolder(), 'shop.duckdb') }), DUCKDB);

/** The attacks have a database for themselves: other tests use the same names in the usual one. */
const DATABASE = 'reading';

function describeServer(
  name: string,
  kind: ConnectionSpec['kind'],
  options: Record<string, string>,
  grammar: Grammar,
): void {
  beforeAll(async () => {
    const connection = await (await loadDriver(kind)).connect(toSpec(kind, options), never);
    for (const sql of [`DROP DATABASE IF EXISTS ${DATABASE}`, `CREATE DATABASE ${DATABASE}`])
      await query(connection, sql);
    await connection.close();
  });
  describeReading(name, () => toSpec(kind, { ...options, database: DATABASE }), grammar);
}

const [postgresql, mariadb] = [inject('postgresql'), inject('mariadb')];
if (postgresql !== null) describeServer('PostgreSQL', 'postgresql', postgresql, POSTGRESQL);
if (mariadb !== null) describeServer('MariaDB', 'mysql', mariadb, MARIADB);

describe('READ on a server', () => {
  it.skipIf(postgresql !== null)('is not tested without PostgreSQL: apt-get install postgresql', () => {});
  it.skipIf(mariadb !== null)('is not tested without MariaDB: apt-get install mariadb-server', () => {});
});
