import { describe, expect, inject, it } from 'vitest';
import { openScriptSession } from './script-session.ts';

async function numbersOf(kind: 'postgresql' | 'mysql', script: string, last: string): Promise<unknown> {
  const session = await openScriptSession(kind);
  await session.run(script);
  const { rows } = await session.run(last);
  return rows.map((row) => row.map((value) => (value === null ? null : Number(value))));
}

const TABLE = 'CREATE TABLE t (a INT, b INT);\n';

describe.skipIf(inject('postgresql') === null)('a script with routines on PostgreSQL', () => {
  it.each([
    [
      'a function of statements, with CASE and what follows it',
      `CREATE FUNCTION add_one(x int) RETURNS int LANGUAGE sql BEGIN ATOMIC
  INSERT INTO t VALUES (x, CASE x WHEN 1 THEN 10 ELSE CASE WHEN x > 2 THEN 30 ELSE 20 END END);
  SELECT CASE x WHEN 1 THEN 2 ELSE 3 END;
END;
INSERT INTO t VALUES (0, 0); SELECT add_one(1); SELECT add_one(5);`,
      'SELECT a, b FROM t ORDER BY a',
      [
        [0, 0],
        [1, 10],
        [5, 30],
      ],
    ],
    [
      'a procedure, and one that replaces another',
      `CREATE PROCEDURE fill() BEGIN ATOMIC INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (2, 2); END;
CREATE OR REPLACE PROCEDURE fill() BEGIN ATOMIC INSERT INTO t VALUES (3, 3); END; CALL fill(); CALL fill()`,
      'SELECT a FROM t',
      [[3], [3]],
    ],
    [
      'a function of dollar quotes, and a trigger',
      `CREATE FUNCTION twice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF NEW.b IS NULL THEN NEW.b := NEW.a * 2; END IF; RETURN NEW; END $$;
CREATE TRIGGER twice BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION twice();
INSERT INTO t (a) VALUES (4);
DO $$ BEGIN FOR i IN 5..6 LOOP INSERT INTO t VALUES (i, CASE WHEN i = 5 THEN 1 ELSE 2 END); END LOOP; END $$;
BEGIN; INSERT INTO t VALUES (7, 7); END;`,
      'SELECT a, b FROM t ORDER BY a',
      [
        [4, 8],
        [5, 1],
        [6, 2],
        [7, 7],
      ],
    ],
    [
      'a function that a block calls',
      `CREATE FUNCTION plus(x int) RETURNS int RETURN x + 1; CREATE FUNCTION rows_of(n int) RETURNS SETOF int LANGUAGE sql
BEGIN ATOMIC SELECT plus(i) FROM generate_series(1, n) AS i; END;`,
      '#+src sql R(n) #+begin SELECT r FROM rows_of({{ n }}) AS r #+end\nSELECT x.r FROM {{ R(2) }} x ORDER BY 1',
      [[2], [3]],
    ],
  ])('runs each as one statement: %s', async (_, script, last, rows) => {
    expect(await numbersOf('postgresql', TABLE + script, last)).toEqual(rows);
  });
});

describe.skipIf(inject('mariadb') === null)('a script with routines on MariaDB', () => {
  it.each([
    [
      'a function with CASE, and what follows it',
      `CREATE FUNCTION f(x INT) RETURNS INT DETERMINISTIC BEGIN
  DECLARE y INT DEFAULT CASE x WHEN 1 THEN 10 ELSE 20 END;
  CASE WHEN y = 10 THEN SET y = y + 1; ELSE BEGIN SET y = y + 2; END; END CASE;
  RETURN y;
END;
INSERT INTO t VALUES (f(1), f(2))`,
      'SELECT a, b FROM t',
      [[11, 22]],
    ],
    [
      'a procedure with loops, handlers and blocks within blocks',
      `CREATE OR REPLACE PROCEDURE fill(IN n INT) outer_one: BEGIN
  DECLARE i INT DEFAULT 0;
  DECLARE CONTINUE HANDLER FOR NOT FOUND IF n > 0 THEN SET n = n; END IF;
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION IF n > 0 THEN BEGIN INSERT INTO t VALUES (-1, -1); END; END IF;
  again: LOOP
    SET i = i + 1;
    IF i > n THEN LEAVE again; ELSEIF i = 2 THEN ITERATE again; END IF;
    BEGIN DECLARE k INT DEFAULT i; WHILE k > 0 DO SET k = k - 1; END WHILE; INSERT INTO t VALUES (i, k); END;
  END LOOP again;
  REPEAT SET i = i - 1; UNTIL i < 3 END REPEAT;
  INSERT INTO t VALUES (i, IF(i = 2, 5, 6));
  SIGNAL SQLSTATE '45000';
END outer_one;
CALL fill(3); INSERT INTO t VALUES (9, 9);`,
      'SELECT a, b FROM t ORDER BY a',
      [
        [-1, -1],
        [1, 0],
        [2, 5],
        [3, 0],
        [9, 9],
      ],
    ],
    [
      'triggers, one of them without BEGIN',
      `CREATE TRIGGER before_t BEFORE INSERT ON t FOR EACH ROW BEGIN
  IF NEW.b IS NULL THEN SET NEW.b = CASE WHEN NEW.a > 5 THEN 1 ELSE 2 END; END IF;
END;
CREATE TRIGGER update_t BEFORE UPDATE ON t FOR EACH ROW IF NEW.a < 0 THEN SET NEW.a = 0; ELSE SET NEW.b = 7; END IF;
INSERT INTO t (a) VALUES (6), (1); UPDATE t SET a = a - 2`,
      'SELECT a, b FROM t ORDER BY a',
      [
        [0, 2],
        [4, 7],
      ],
    ],
    [
      'a block without a routine, a loop over a query, and transactions next to them',
      `BEGIN; INSERT INTO t VALUES (1, 1); COMMIT;
BEGIN NOT ATOMIC DECLARE i INT DEFAULT 4; INSERT INTO t VALUES (i, i); BEGIN INSERT INTO t VALUES (5, 5); END; END;
BEGIN NOT ATOMIC FOR r IN (SELECT seq AS n FROM seq_6_to_7) DO INSERT INTO t VALUES (r.n, 0); END FOR; END;
START TRANSACTION; DELETE FROM t WHERE a = 5; ROLLBACK;`,
      'SELECT a FROM t ORDER BY a',
      [[1], [4], [5], [6], [7]],
    ],
    [
      'a function that a block calls, a single CALL, and a procedure with a temporary table',
      `CREATE FUNCTION g(x INT) RETURNS INT DETERMINISTIC RETURN x * 2;
CREATE PROCEDURE temp() BEGIN CREATE TEMPORARY TABLE own (a INT); INSERT INTO own VALUES (4); INSERT INTO t SELECT a, g(a) FROM own; DROP TEMPORARY TABLE own; END;
CALL temp()`,
      '#+src sql R(n) #+begin SELECT a, g(b) AS b FROM t WHERE a > {{ n }} #+end\nSELECT x.a, y.b FROM {{ R(2) }} x JOIN {{ R(3) }} y ON x.a = y.a',
      [[4, 16]],
    ],
  ])('runs each as one statement: %s', async (_, script, last, rows) => {
    expect(await numbersOf('mysql', TABLE + script, last)).toEqual(rows);
  });

  it('has the rows of a procedure, and the positions of its errors', async () => {
    const session = await openScriptSession('mysql');
    const script = `CREATE PROCEDURE p() BEGIN SELECT 1 AS one; SELECT 2 AS two; END; CALL p();`;
    expect(await session.run(script)).toMatchObject({ columns: ['one'], rows: [[1]] });
    await expect(
      session.run('SELECT 1;\nCREATE PROCEDURE q() BEGIN SELECT 1; SELEC 2; END;\nSELECT 3'),
    ).rejects.toThrow(/near '2; END'/);
  });
});
