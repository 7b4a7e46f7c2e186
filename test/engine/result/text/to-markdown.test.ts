import { afterAll, describe, expect, it } from 'vitest';
import { encode, encodeQuery, openMemory } from '../encode.ts';

const connection = await openMemory();
afterAll(() => connection.close());

describe('markdown', () => {
  it('aligns numbers right and prints NULL as an empty cell', async () => {
    const sql = `SELECT * FROM (VALUES (1, 'Ann', 12.30, [1]), (2, NULL, NULL, NULL)) t(id, first_name, total, list)`;
    expect(await encodeQuery(connection, 'markdown', sql)).toBe(
      '| id | first_name | total | list |\n| ---: | --- | ---: | --- |\n| 1 | Ann | 12.30 | \\[1] |\n| 2 |  |  |  |\n',
    );
  });

  it.each([
    ['a|b', 'a\\|b'],
    ['back\\slash', 'back\\\\slash'],
    ['*bold* `code` <b>', '\\*bold\\* \\`code\\` \\<b>'],
    ['snake_case _em_', 'snake_case \\_em\\_'],
    ['one\r\ntwo\nthree\rfour', 'one<br>two<br>three<br>four'],
  ])('escapes %j', async (text, cell) => {
    const sql = `SELECT '${text}' AS t`;
    expect(await encodeQuery(connection, 'markdown', sql)).toBe(`| t |\n| --- |\n| ${cell} |\n`);
    expect(await encodeQuery(connection, 'markdown', `SELECT 'x' AS "${text}"`)).toBe(
      `| ${cell} |\n| --- |\n| x |\n`,
    );
  });

  it('has a header without rows, and is empty without a result set', async () => {
    expect(await encodeQuery(connection, 'markdown', 'SELECT 1 AS a WHERE false')).toBe('| a |\n| ---: |\n');
    expect(await encode('markdown', null, [])).toBe('');
  });
});
