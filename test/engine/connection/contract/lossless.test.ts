import { describe, expect, it } from 'vitest';
import { isLossless, type TypeRules } from '../../../../src/engine/connection/contract/lossless.ts';
import { TYPE_RULES } from '../../../../src/engine/connection/mysql/publishing-sql.ts';

const RULES: TypeRules = {
  untyped: 'unknown',
  text: 'text',
  stateType: 'timestamp',
  timeDigits: 6,
  refusesRows: false,
};
const MYSQL: TypeRules = { ...TYPE_RULES, refusesRows: false };

/** Types in this order: each fits the one after it, which does not fit it. */
const WIDER: readonly (readonly [from: string, to: string, rules?: TypeRules])[] = [
  ['TINYINT', 'SMALLINT'],
  ['UTINYINT', 'SMALLINT'],
  ['BIGINT', 'HUGEINT'],
  ['int(11) unsigned', 'bigint(20)'],
  ['INTEGER', 'DECIMAL(10,0)'],
  ['DECIMAL(5,2)', 'DECIMAL(10,2)'],
  ['numeric(10,2)', 'numeric'],
  ['integer', 'numeric'],
  ['SMALLINT', 'FLOAT'],
  ['integer', 'double precision'],
  ['REAL', 'double'],
  ['char(3)', 'varchar(3)'],
  ['DATE', 'TIMESTAMP'],
  ['date', 'timestamp(3) without time zone'],
  ['date', 'datetime', MYSQL],
  ['TIMESTAMP_MS', 'TIMESTAMP'],
  ['timestamp(3) with time zone', 'timestamp(6) with time zone'],
  ['time(0) without time zone', 'time without time zone'],
  ['INTEGER[]', 'BIGINT[]'],
  ['array(decimal(3,1))', 'array(decimal(4,1))'],
];

const SAME: readonly (readonly [string, string])[] = [
  ['varchar', 'longtext'],
  ['decimal(5,2)', 'numeric(5,2)'],
  ['int(1)', 'int(11)'],
  ['varbinary', 'longblob'],
];

/** Pairs of types that do not fit each other. */
const OTHERS: readonly (readonly [string, string, TypeRules?])[] = [
  ['bigint', 'double'],
  ['bigint', 'decimal(18,0)'],
  ['decimal(3,1)', 'double'],
  ['decimal(5,2)', 'decimal(5,3)'],
  ['timestamp', 'timestamp with time zone'],
  ['datetime', 'timestamp', MYSQL],
  ['date', 'timestamp with time zone'],
  ['boolean', 'integer'],
  ['varchar', 'blob'],
  ["enum('a')", "enum('b')"],
  ['STRUCT(a INTEGER)', 'STRUCT(a BIGINT)'],
  ['float(7,3)', 'double(9,1)'],
];

describe('a type', () => {
  it('fits a wider one, which does not fit it', () => {
    for (const [from, to, rules = RULES] of WIDER) {
      const found = [isLossless(from, to, rules), isLossless(to, from, rules)];
      expect(found, `${from} and ${to}`).toEqual([true, false]);
    }
  });

  it('fits another name of itself', () => {
    for (const [from, to] of SAME) {
      const found = [isLossless(from, to, RULES), isLossless(to, from, RULES)];
      expect(found, `${from} and ${to}`).toEqual([true, true]);
    }
  });

  it('does not fit one of another meaning', () => {
    for (const [from, to, rules = RULES] of OTHERS) {
      const found = [isLossless(from, to, rules), isLossless(to, from, rules)];
      expect(found, `${from} and ${to}`).toEqual([false, false]);
    }
  });

  it('fits a narrower one only if the database refuses what is too large or too long', () => {
    const refuses = { ...RULES, refusesRows: true };
    for (const [from, to] of [
      ['varchar(4)', 'varchar(3)'],
      ['longtext', 'mediumtext'],
      ['varbinary(4)', 'varbinary(3)'],
      ['char(4)', 'char(3)'],
      ['bigint', 'smallint'],
      ['int', 'int unsigned'],
      ['bigint', 'decimal(5,2)'],
      ['decimal(20,2)', 'decimal(5,3)'],
    ] as const) {
      const found = [isLossless(from, to, refuses), isLossless(from, to, RULES)];
      expect(found, `${from} and ${to}`).toEqual([true, false]);
    }
  });

  it('of a bare NULL fits each other one', () => {
    for (const to of ['integer', 'STRUCT(a INTEGER)', "enum('a')"]) {
      expect(isLossless('unknown', to, RULES)).toBe(true);
    }
    expect(isLossless('unknown[]', 'integer[]', RULES)).toBe(true);
  });
});
