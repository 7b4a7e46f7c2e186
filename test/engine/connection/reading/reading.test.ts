import path from 'node:path';
import { describe, inject, it } from 'vitest';
import type { ConnectionSpec } from '../../../../src/engine/connection/contract/connection.ts';
import { makeFolder } from '../../../support/quern.ts';
import { DUCKDB, MARIADB, POSTGRESQL } from './attacks.ts';
import { describeReading } from './describe-reading.ts';

const toSpec = (kind: ConnectionSpec['kind'], options: Record<string, string>): ConnectionSpec => ({
  name: 'shop',
  kind,
  options,
  overrides: {},
});

describeReading('DuckDB', () => toSpec('duckdb', { file: path.join(makeFolder(), 'shop.duckdb') }), DUCKDB);

const [postgresql, mariadb] = [inject('postgresql'), inject('mariadb')];
if (postgresql !== null) describeReading('PostgreSQL', () => toSpec('postgresql', postgresql), POSTGRESQL);
if (mariadb !== null) describeReading('MariaDB', () => toSpec('mysql', mariadb), MARIADB);

describe('READ on a server', () => {
  it.skipIf(postgresql !== null)('is not tested without PostgreSQL: apt-get install postgresql', () => {});
  it.skipIf(mariadb !== null)('is not tested without MariaDB: apt-get install mariadb-server', () => {});
});
