import { describe, expect, it } from 'vitest';
import { finish } from '../../../src/engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { cutStatements, findStatements } from '../../../src/engine/text/sql-scanner.ts';

const split = (text: string, kind: keyof typeof LEXICAL_RULES) =>
  findStatements(text, LEXICAL_RULES[kind]).map(({ start, end }) => text.slice(start, end));

const MARIADB = [
  'CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END',
  'CREATE OR REPLACE DEFINER=`a`@`b` FUNCTION f(a INT) RETURNS INT DETERMINISTIC BEGIN RETURN a; END',
  'CREATE PROCEDURE IF NOT EXISTS p(n INT) outer_one: BEGIN DECLARE i INT DEFAULT 0; again: LOOP SET i = i + 1; IF i > n THEN LEAVE again; ELSEIF i = 3 THEN SET i = if(i, 4, 5); ELSE IF (i) THEN SET i = 6; END IF; END IF; END LOOP again; END outer_one',
  "CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; END; SELECT CASE WHEN 1 THEN if(1, 2, 3) ELSE repeat('a', 3) END; CASE x WHEN 1 THEN SELECT 1; ELSE BEGIN END; END CASE; END",
  'CREATE TRIGGER t BEFORE INSERT ON x FOR EACH ROW BEGIN SET NEW.a = 1; REPEAT SET @i = 1; UNTIL @i END REPEAT; WHILE @i DO SET @i = 0; END WHILE; END',
  'CREATE TRIGGER t BEFORE UPDATE ON x FOR EACH ROW IF NEW.a < 0 THEN SET NEW.a = 0; ELSE IF NEW.b THEN SET NEW.b = 1; END IF; END IF',
  'CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM x; FOR i IN (SELECT 1) DO SELECT i.a; END FOR; END',
  'BEGIN NOT ATOMIC SELECT 1; BEGIN SELECT 2; END; END',
  'BEGIN NOT ATOMIC FOR i IN (SELECT 1 AS a) DO SELECT i.a; END FOR; END',
  'BEGIN NOT ATOMIC IF 1 THEN SELECT 1; END IF; END',
  'CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION, NOT FOUND IF 1 THEN SELECT 1; END IF; DECLARE CONTINUE HANDLER FOR SQLWARNING CASE 1 WHEN 1 THEN SELECT 1; END CASE; SELECT 2; END',
  'CREATE PACKAGE k AS PROCEDURE p; FUNCTION f RETURN INT; END',
  'CREATE PACKAGE BODY k AS n INT := 1; PROCEDURE p AS m INT; BEGIN SELECT 1; END; FUNCTION f RETURN INT AS BEGIN RETURN 1; END; BEGIN SET n = 2; END',
  'CREATE PROCEDURE p() SELECT 1 AS begin',
  'CREATE PROCEDURE p() SELECT CASE WHEN 1 THEN 2 END',
];
const POSTGRESQL = [
  'CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql BEGIN ATOMIC INSERT INTO t VALUES (a); SELECT CASE a WHEN 1 THEN 2 ELSE 3 END; END',
  'CREATE OR REPLACE PROCEDURE p() BEGIN ATOMIC DELETE FROM t; END',
  'CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql',
  'CREATE TRIGGER t BEFORE INSERT ON x FOR EACH ROW EXECUTE FUNCTION f()',
];
const TRINO = [
  'CREATE FUNCTION f(a bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT if(a > 0, 1, 2); again: LOOP SET i = i + 1; IF i > a THEN LEAVE again; ELSEIF i = 3 THEN SET i = 4; ELSE SET i = 5; END IF; END LOOP; RETURN i; END',
  'CREATE OR REPLACE FUNCTION memory.default.f(a int) RETURNS int CASE a WHEN 1 THEN RETURN 2; ELSE RETURN 3; END CASE',
  'WITH FUNCTION f(a int) RETURNS int BEGIN RETURN CASE a WHEN 1 THEN 2 END; END SELECT CASE f(1) WHEN 1 THEN 2 END',
  'WITH FUNCTION f() RETURNS int RETURN 1, FUNCTION g(n int) RETURNS int BEGIN WHILE n > 0 DO SET n = n - 1; END WHILE; REPEAT SET n = n + 1; UNTIL n > 2 END REPEAT; RETURN n; END WITH t AS (SELECT 1) SELECT f(), g(1) FROM t',
  'CREATE TABLE t AS WITH FUNCTION f() RETURNS int BEGIN RETURN 1; END SELECT f() AS a',
  'CREATE FUNCTION f() RETURNS varchar LANGUAGE PYTHON WITH (handler = $$g$$) AS $$ def g(): return "end;" $$',
];
const PLAIN = [
  'BEGIN',
  'SELECT CASE WHEN true THEN 1 END AS "begin"',
  'END',
  'BEGIN TRANSACTION',
  'CREATE TABLE event (a int)',
  'COMMIT',
  'CREATE VIEW v AS SELECT CASE 1 WHEN 1 THEN 2 END AS x',
  'DROP FUNCTION f',
];

describe('a routine with statements in it', () => {
  it.each(MARIADB)('is one statement in MariaDB: %s', (text) => {
    expect(split(`SELECT 0; ${text}; SELECT 9;`, 'mysql')).toEqual(['SELECT 0', text, 'SELECT 9']);
    expect(split(text.toLowerCase(), 'mysql')).toEqual([text.toLowerCase()]);
  });

  it.each(POSTGRESQL)('is one statement in PostgreSQL: %s', (text) => {
    expect(split(`${text};${text}; SELECT 9`, 'postgresql')).toEqual([text, text, 'SELECT 9']);
  });

  it.each(TRINO)('is one statement in Trino: %s', (text) => {
    expect(split(`SELECT 0; ${text};${text.toLowerCase()}; SELECT 9`, 'trino')).toEqual([
      'SELECT 0',
      text,
      text.toLowerCase(),
      'SELECT 9',
    ]);
  });

  it('is not a query of Trino with the name function', () => {
    const statements = ['WITH function AS (SELECT 1 AS begin) SELECT begin FROM function', 'SELECT 2'];
    expect(split(`${statements.join('; ')}; END`, 'trino')).toEqual([...statements, 'END']);
  });

  it('is open until its END', () => {
    const text = 'SELECT 1; CREATE PROCEDURE p() BEGIN SELECT 1; IF 1 THEN SELECT 2; END IF;';
    const { complete, open } = finish(cutStatements(text, LEXICAL_RULES.mysql));
    expect(complete).toEqual([{ start: 0, end: 8 }]);
    expect(text.slice(open!.start, open!.end)).toBe(text.slice(10));
  });
});

it.each(['duckdb', 'postgresql', 'mysql', 'trino'] as const)(
  'transactions and other objects of %s remain unchanged',
  (kind) => {
    expect(split(PLAIN.join(';\n'), kind)).toEqual(PLAIN);
  },
);
