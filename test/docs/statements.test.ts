import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findExamples } from '../support/markdown.ts';
import { runQuern, shareServer } from '../support/server.ts';

const file = path.resolve(import.meta.dirname, '../../docs/reference/semantic-sql-statements.md');
const page = readFileSync(file, 'utf8');

interface Row {
  readonly number: number;
  readonly what: string;
  readonly sql: string;
  readonly happens: string;
}

/** A numbered title, a statement, and the line that says what happens. */
const ENTRY = /^\*\*(\d+)\. (.+)\*\*\n\n```sql\n([\s\S]*?)\n```\n\n(.+)$/gm;

/** The statements of the page. */
const ROWS: readonly Row[] = [...page.matchAll(ENTRY)].map(
  ([, number, what = '', sql = '', happens = '']) => {
    return { number: Number(number), what, sql: sql.replaceAll(/\n\s*/g, ' '), happens };
  },
);

/** The minimum number of statements of each kind, and what their texts contain. */
const KINDS: Readonly<Record<string, { readonly least: number; readonly shape: RegExp }>> = {
  'computed key': { least: 10, shape: /DATE_TRUNC|EXTRACT|FLOOR|CASE|COALESCE/i },
  'sub-query': { least: 5, shape: /FROM \( ?SELECT/i },
  window: { least: 5, shape: / OVER \(/ },
  'top N': { least: 3, shape: / IN \(SELECT .* ORDER BY .* LIMIT \d+\)/ },
  metadata: { least: 5, shape: /SELECT \*|LIMIT 0|information_schema/i },
};

const shared = shareServer();

beforeAll(async () => {
  const { server, admin } = shared;
  const files = new Map(
    findExamples(page).flatMap((example) => (example.kind === 'file' ? [[example.name, example.text]] : [])),
  );
  await runQuern(server.cwd, ['sql', '-'], files.get('shop.sql'));
  await admin.make('assets', '@Shared/shop.yaml', { content: files.get('models/shop.yaml') });
  const options = { model: '@Shared/shop.yaml', connection: 'duckdb' };
  const made = await admin.send('POST', '/manage/connections', {
    body: { name: 'shop', kind: 'semantic', options },
  });
  if (made.status !== 201) throw new Error(made.text);
});

/**
 * The result of a statement in the notation of the page; if the order of rows is undefined, only of the row
 * that the page names.
 */
async function describeAnswer(sql: string, said: string): Promise<string> {
  const { status, text, body } = await shared.admin.send('POST', '/exec/sql', {
    headers: { accept: 'text/csv' },
    body: { sql, connection: { name: 'shop' } },
  });
  if (status !== 200) {
    return `Refused: ${(body as { message: string }).message.replace(/^.*? error: /, '')}`;
  }
  const [header = '', ...rows] = text.replace(/\n$/, '').split('\n');
  const [first] = rows;
  if (first === undefined) return `No rows; the columns \`${header}\``;
  if (rows.length === 1) return `1 row: ${quote(first)}`;
  const named = /, one is (.*)$/.exec(said)?.[1];
  if (named === undefined) return `${rows.length} rows, first ${quote(first)}`;
  return `${rows.length} rows, one is ${rows.map(quote).find((row) => row === named) ?? 'another'}`;
}

const quote = (row: string) => (row === '' ? 'NULL' : `\`${row}\``);

describe('the page of statements', () => {
  it.each(ROWS)('$number $what: $sql', async ({ sql, happens }) => {
    expect(await describeAnswer(sql, happens)).toBe(happens);
  });

  it('has sixty statements, of every kind', () => {
    expect(ROWS.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    expect(new Set(ROWS.map(({ sql }) => sql)).size).toBe(60);
    const isAnswered = ({ happens }: Row) => !happens.startsWith('Refused: ');
    expect(ROWS.filter((row) => !isAnswered(row)).length).toBeLessThanOrEqual(8);
    for (const [kind, { least, shape }] of Object.entries(KINDS)) {
      const found = ROWS.filter((row) => isAnswered(row) && listKinds(row).includes(kind));
      expect(found.length, kind).toBeGreaterThanOrEqual(least);
      const unlike = found.filter(({ sql }) => !shape.test(sql));
      expect(unlike, kind).toEqual([]);
    }
  });
});

/** The labels in parentheses after the description of a statement. */
function listKinds({ what }: Row): readonly string[] {
  return /\(([^)]*)\)$/.exec(what)?.[1]?.split(', ') ?? [];
}
