import type { Completion, CompletionResult } from '@codemirror/autocomplete';
import { Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { complete } from '../../../web/language/completion/completion.ts';
import type { FunctionInfo, ListTables, TableInfo } from '../../../web/language/completion/context.ts';
import { findPlace } from '../../../web/language/place.ts';
import { type EditorDialect, SQL_KEYWORDS } from '../../../web/language/sql-keywords.ts';
import { findSymbolAt } from '../../../web/language/symbol-at.ts';
import { type ScriptSymbol, SymbolSource, type Symbols } from '../../../web/language/symbols.ts';

const TABLES: readonly TableInfo[] = [
  {
    schema: 'main',
    name: 'orders',
    kind: 'table',
    columns: [
      { name: 'id', type: 'INTEGER' },
      { name: 'order', type: 'TEXT' },
    ],
  },
  { schema: 'main', name: 'Region', kind: 'table', columns: [] },
  { schema: 'mart', name: 'daily', kind: 'view', columns: [{ name: 'day', type: 'DATE' }] },
];

const FUNCTIONS: readonly FunctionInfo[] = [
  {
    name: 'date_trunc',
    kind: 'scalar',
    signatures: [
      '(part VARCHAR, timestamp DATE) -> TIMESTAMP',
      '(part VARCHAR, timestamp INTERVAL) -> INTERVAL',
    ],
    description: 'Truncate to specified precision',
  },
  { name: 'LOWER', kind: 'scalar', signatures: [], description: null },
  { name: 'myFunction', kind: 'aggregate', signatures: ['(a integer) -> integer'], description: null },
  { name: 'read_csv', kind: 'table', signatures: [], description: null },
];

const symbol = (name: string, from: string | null, more: Partial<ScriptSymbol> = {}): ScriptSymbol => ({
  name,
  kind: 'block',
  import: from,
  params: [],
  returns: null,
  doc: null,
  file: '@Shared/x/other',
  line: 3,
  column: 11,
  ...more,
});

const SYMBOLS: Symbols = {
  data: [
    symbol('Sibling', null, {
      params: [
        { name: 'a', default: null },
        { name: 'b', default: '1' },
      ],
      doc: 'A sibling.',
    }),
    symbol('Orders', 'base'),
    symbol('Format', 'time', { kind: 'function', file: null, line: null, column: null }),
    symbol('Stale', null, { file: '@Shared/x/own' }),
  ],
  imports: [
    { name: 'base', path: 'acme.io/base' },
    { name: 'time', path: 'std/time' },
  ],
  packages: ['acme.io/base', 'std/time'],
  connection: 'warehouse',
};

const request = { ownFile: '@Shared/x/own', list: async () => SYMBOLS };

/** Completes a text at its `|`. */
async function at(
  marked: string,
  {
    isScript = true,
    dialect = 'duckdb',
    isExplicit = false,
    tables = TABLES,
    listTables = async () => ({ data: tables, omitted: 0 }),
  }: {
    isScript?: boolean;
    dialect?: EditorDialect;
    isExplicit?: boolean;
    tables?: readonly TableInfo[];
    listTables?: ListTables;
  } = {},
): Promise<CompletionResult | null> {
  const position = marked.indexOf('|');
  const doc = Text.of(marked.replace('|', '').split('\n'));
  const rules = { lexicalRules: LEXICAL_RULES[dialect], isScript, keywords: SQL_KEYWORDS[dialect] };
  const place = findPlace(doc, position, rules);
  const symbols = new SymbolSource(request);
  return complete(
    {
      ...{ doc, position, place, rules, symbols, isExplicit },
      listTables,
      listFunctions: async () => FUNCTIONS,
    },
    dialect,
  );
}

const labels = async (...asked: Parameters<typeof at>): Promise<readonly string[]> =>
  (await at(...asked))?.options.map(({ label }) => label) ?? [];
const find = async (label: string, ...asked: Parameters<typeof at>): Promise<Completion | undefined> =>
  (await at(...asked))?.options.find((option) => option.label === label);

describe('the completion of a script', () => {
  it('offers import paths in the quotes of an import', async () => {
    expect(await labels('#+import "ac|')).toEqual(['acme.io/base', 'std/time']);
    expect((await at('#+import "ac|'))?.from).toBe(10);
  });

  it('offers the directives that can follow', async () => {
    expect(await labels('#+s|')).toEqual(expect.arrayContaining(['#+src', '#+test', '#+import', '#+if']));
    const body = '#+src sql A()\n#+begin\nSELECT 1 #|\n#+end';
    expect(await labels(body)).toEqual(['#+if', '#+elseif', '#+else', '#+for', '#+end']);
    expect(await labels('#+src sql A() #+|')).toEqual(expect.arrayContaining(['#+begin', '#+meta']));
    expect(await labels('#+src sql A()\n#+begin\nSELECT 1 -- #+|')).toEqual([]);
    expect(await labels('#+|', { isScript: false })).toEqual([]);
  });

  it('offers blocks, imports, parameters and loop variables in expressions', async () => {
    const text = '-- Mine.\n#+src sql Own(x, y=2) #+begin\n#+for row : xs do {{ |';
    const found = await labels(`${text} }}`, { isExplicit: true });
    expect(found).toEqual(['x', 'y', 'row', 'Sibling', 'base', 'time', 'true', 'false', 'null']);
    expect(await labels('#+src sql Own(x) #+begin SELECT 1 #+end\nSELECT {{ O|')).toContain('Own');
    expect(await find('Sibling', 'SELECT {{ Si|')).toMatchObject({
      detail: '(a, b = 1)',
      info: 'A sibling.',
    });
    expect(await labels('SELECT {{ |')).toEqual([]);
    expect(await labels('SELECT {{ "O|')).toEqual([]);
  });

  it('offers the members of an import after its name', async () => {
    expect(await labels('SELECT {{ base.|')).toEqual(['Orders']);
    expect(await labels('#+if time.F|')).toEqual(['Format']);
    expect(await labels('SELECT {{ nothing.|')).toEqual([]);
  });

  it('leaves out what the server knows of the text itself', async () => {
    expect(await labels('SELECT {{ S|')).not.toContain('Stale');
  });

  it('offers keys of metadata', async () => {
    expect(await labels('#+src sql A() #+meta { :d|')).toContain('checks');
    expect(await labels('#+src sql A() #+meta { :publication { :|')).toContain('primary_key');
    expect(await labels('#+src sql A() #+meta { :checks [ { :|')).toEqual(
      expect.arrayContaining(['not_null', 'within', 'block']),
    );
  });

  it('offers the parameters of the text after a dollar sign', async () => {
    expect(await labels("SELECT '$month', $year WHERE a = $|")).toEqual(['month', 'year']);
    expect(await labels("SELECT '$m|' || '$month'")).toEqual(['month']);
  });
});

describe('the completion of SQL', () => {
  it('offers tables and blocks after FROM', async () => {
    const found = await labels('SELECT * FROM o|');
    expect(found).toEqual(
      expect.arrayContaining(['orders', 'mart.daily', 'Sibling', 'base.Orders', 'order']),
    );
    expect(await find('base.Orders', 'SELECT * FROM b|')).toMatchObject({ apply: '{{ base.Orders() }}' });
    expect(await find('Sibling', 'SELECT * FROM S|')).toMatchObject({ apply: '{{ Sibling(a) }}' });
    expect(await labels('SELECT * FROM o|', { isScript: false })).not.toContain('Sibling');
  });

  it('offers the columns of the tables of the statement', async () => {
    expect(await labels('SELECT i| FROM orders')).toContain('id');
    expect(await labels('SELECT i| FROM mart.daily; SELECT 1 FROM orders')).not.toContain('id');
    expect(await labels('SELECT o.| FROM orders AS o')).toEqual(['id', 'order']);
    expect(await labels('SELECT d.| FROM orders o JOIN mart.daily d USING (id)')).toEqual(['day']);
    expect(await labels('SELECT * FROM mart.|')).toEqual(['daily']);
    expect(await labels('SELECT x.| FROM orders')).toEqual([]);
  });

  it('quotes names where the database needs it', async () => {
    expect(await find('order', 'SELECT o.| FROM orders o')).toMatchObject({ apply: '"order"' });
    expect(await find('order', 'SELECT o.| FROM orders o', { dialect: 'mysql' })).toMatchObject({
      apply: '`order`',
    });
  });

  it('quotes names with capital letters for PostgreSQL, which is the only database that needs it', async () => {
    expect(await find('Region', 'SELECT * FROM r|', { dialect: 'postgresql' })).toMatchObject({
      apply: '"Region"',
    });
    expect(await find('Region', 'SELECT * FROM r|')).toMatchObject({ apply: 'Region' });
  });

  it('offers functions with their signatures, and inserts a parenthesis once', async () => {
    expect(await find('date_trunc', 'SELECT da|')).toMatchObject({
      apply: 'date_trunc(',
      detail: '(part VARCHAR, timestamp DATE) -> TIMESTAMP',
      info: 'Truncate to specified precision\n(part VARCHAR, timestamp INTERVAL) -> INTERVAL',
    });
    expect(await find('date_trunc', 'SELECT da|(day)')).toMatchObject({ apply: 'date_trunc' });
    expect(await find('DATE_TRUNC', 'SELECT DA|')).toMatchObject({ apply: 'DATE_TRUNC(' });
    expect(await find('lower', 'SELECT lo|')).toMatchObject({ apply: 'lower(' });
    expect(await find('myFunction', 'SELECT MY|', { dialect: 'postgresql' })).toMatchObject({
      apply: '"myFunction"(',
    });
    expect(await labels('SELECT * FROM r|')).toContain('read_csv');
    expect(await labels('SELECT * FROM l|')).not.toContain('lower');
    expect(await labels('SELECT r|')).not.toContain('read_csv');
  });

  it('offers keywords in the case in which one types', async () => {
    expect(await labels('sel|')).toContain('select');
    expect(await labels('SEL|')).toContain('SELECT');
    expect(await labels('SELECT 1 QUA|', { dialect: 'postgresql' })).not.toContain('QUALIFY');
  });

  it('offers nothing in strings and comments, and nothing before one types', async () => {
    expect(await at("SELECT 'o|")).toBe(null);
    expect(await at('SELECT 1 -- o|')).toBe(null);
    expect(await at('/* o|')).toBe(null);
    expect(await at('SELECT |')).toBe(null);
    expect(await labels('SELECT 1 -- a\no|')).toContain('orders');
  });
});

describe('the completion of common table expressions', () => {
  const WITH = 'WITH totals AS (SELECT id, o.order AS "the order", count(*) AS n, id + 1 next FROM orders o)';

  it('offers them as tables, and their columns', async () => {
    expect(await labels(`${WITH} SELECT * FROM t|`)).toContain('totals');
    expect(await labels(`${WITH} SELECT t.| FROM totals t`)).toEqual(['id', 'the order', 'n', 'next']);
    expect(await labels(`${WITH} SELECT totals.|`)).toEqual(['id', 'the order', 'n', 'next']);
    expect(await labels(`${WITH} SELECT n| FROM totals`)).toContain('next');
    expect(await find('id', `${WITH} SELECT t.| FROM totals t`)).toMatchObject({
      detail: 'INTEGER · totals',
    });
    expect(await find('the order', `${WITH} SELECT t.| FROM totals t`)).toMatchObject({
      apply: '"the order"',
    });
  });

  it('knows declared columns, and those of a star', async () => {
    expect(await labels('WITH a(x, y) AS (SELECT id, 2 FROM orders) SELECT a.| FROM a')).toEqual(['x', 'y']);
    expect(
      await labels('WITH a AS (SELECT * FROM orders), b AS (SELECT a.*, 1 z FROM a) SELECT b.| FROM b'),
    ).toEqual(['id', 'order', 'z']);
    expect(await labels('WITH a AS (SELECT * EXCLUDE (id) FROM orders) SELECT a.| FROM a')).toEqual([
      'order',
    ]);
    expect(await labels('WITH a AS (FROM mart.daily) SELECT a.| FROM a')).toEqual(['day']);
    expect(await labels('SELECT s.| FROM (SELECT id AS k FROM orders) AS s')).toEqual(['k']);
    expect(
      await labels(
        'WITH a AS NOT MATERIALIZED (SELECT DISTINCT ON (id) id AS k FROM orders) SELECT a.| FROM a',
      ),
    ).toEqual(['k']);
  });

  it('knows those that read themselves or each other', async () => {
    const recursive = 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT r.| FROM r';
    expect(await labels(recursive)).toEqual(['n']);
    const loop = 'WITH a AS (SELECT * FROM b), b AS (SELECT *, 1 AS k FROM a) SELECT b.| FROM b';
    expect(await labels(loop)).toEqual(['k']);
    const long = Array.from({ length: 200 }, (_, n) => `c${n + 1} AS (SELECT * FROM c${n})`).join(', ');
    expect(await labels(`WITH c0 AS (SELECT 1 AS k), ${long} SELECT c3.| FROM c3`)).toEqual(['k']);
  });

  it('inserts names as the statement has them', async () => {
    const text = 'WITH Totals(Sum, "The Order") AS (SELECT 1, 2) SELECT';
    const postgresql = { dialect: 'postgresql' } as const;
    expect(await find('Totals', `${text} * FROM T|`, postgresql)).toMatchObject({ apply: 'Totals' });
    expect(await find('Sum', `${text} t.| FROM Totals t`, postgresql)).toMatchObject({ apply: 'Sum' });
    expect(await find('The Order', `${text} t.| FROM Totals t`, postgresql)).toMatchObject({
      apply: '"The Order"',
    });
    const star = 'WITH a AS (SELECT * FROM orders) SELECT a.| FROM a';
    expect(await find('order', star, postgresql)).toMatchObject({ apply: '"order"' });
  });

  it('reads the whole body of a block, with its conditions and loops', async () => {
    const block = '#+src sql A()\n#+begin\n#+if true then SELECT o.| #+end\nFROM orders o\n#+end\nSELECT 1';
    expect(await labels(block)).toEqual(['id', 'order']);
    const other =
      '#+src sql A() #+begin SELECT 1 #+end\nSELECT o.|\n#+src sql B() #+begin SELECT 1 FROM orders o #+end';
    expect(await labels(other)).toEqual([]);
  });

  it('reads them from texts that are not valid yet', async () => {
    expect(await labels('WITH a AS (SELECT id AS k, FROM orders) SELECT a.| FROM a')).toEqual(['k']);
    expect(await labels('WITH a AS (SELECT id AS k FROM orders), b AS (SELECT a.|')).toEqual(['k']);
    expect(await labels("WITH a AS (SELECT ';' AS k, $$;)$$ AS z /* ; */) SELECT a.| FROM a")).toEqual([
      'k',
      'z',
    ]);
    expect(await labels('WITH a AS (SELECT k IS DISTINCT FROM z AS q FROM t) SELECT a.| FROM a')).toEqual([
      'q',
    ]);
    expect(await labels('WITH |')).toEqual([]);
    expect(await labels('WITH a AS (SELECT 1 AS k); SELECT a.| FROM a')).toEqual([]);
  });
});

describe('the completion after FROM', () => {
  const isLast = async (...asked: Parameters<typeof at>) =>
    (await find('select', ...asked))?.section !== undefined;

  it('offers keywords after everything else', async () => {
    expect(await isLast('SELECT * FROM s|')).toBe(true);
    expect(await isLast('SELECT *\nFROM\n  orders,\n  s|')).toBe(true);
    expect(await isLast('SELECT * FROM orders JOIN s|')).toBe(true);
    expect(await isLast('SELECT * FROM (s|')).toBe(true);
    expect(await isLast('SELECT a, s| FROM orders')).toBe(false);
    expect(await isLast('SELECT * FROM orders s|')).toBe(false);
    expect(await isLast('SELECT extract(year FROM s|')).toBe(false);
    expect(await isLast('SELECT 1 WHERE a IS DISTINCT FROM s|')).toBe(false);
    expect(await isLast('SELECT * FROM orders WHERE f(1, s|')).toBe(false);
  });
});

describe('the completion with more tables than are listed', () => {
  it('asks for the typed text and for the tables of the statement, and again after each key', async () => {
    const asked: (readonly string[])[] = [];
    const listTables: ListTables = async (_, wanted) => {
      asked.push(wanted);
      return { data: TABLES, omitted: 1 };
    };
    const found = await at('SELECT xy| FROM mart.daily d JOIN "Two x" USING (day)', { listTables });
    expect(asked).toEqual([['xy', 'daily', 'Two x']]);
    expect(found?.validFor).toBeUndefined();
    expect((await at('SELECT * FROM t|', { listTables }))?.options.length).toBeGreaterThan(0);
    expect(asked.at(-1)).toEqual([]);
    expect((await at('SELECT * FROM t|'))?.validFor).toBeDefined();
  });
});

describe('the completion of Semantic SQL', () => {
  const field = (name: string) => ({ name, type: 'text' });
  const tables: readonly TableInfo[] = [
    { schema: '', name: 'orders', kind: 'table', columns: [field('revenue'), field('id')] },
    { schema: '', name: 'customers', kind: 'table', columns: [field('region'), field('id')] },
  ];
  const semantic = { tables, dialect: 'postgresql' } as const;

  it('offers the fields of all entities before FROM is written', async () => {
    expect(await find('revenue', 'SELECT re|', semantic)).toMatchObject({ detail: 'text · orders' });
    expect(await labels('SELECT re|', semantic)).toContain('region');
    expect(await find('orders.id', 'SELECT i|', semantic)).toMatchObject({ apply: 'orders.id' });
    expect(await labels('SELECT i|', semantic)).not.toContain('id');
    expect(await labels('SELECT orders.|', semantic)).toEqual(['revenue', 'id']);
  });

  it('offers those of the entities in FROM afterwards', async () => {
    expect(await labels('SELECT re| FROM orders', semantic)).not.toContain('region');
    expect(await labels('SELECT * FROM re|', semantic)).not.toContain('region');
    expect(await labels('SELECT i|')).not.toContain('id');
  });
});

describe('the symbol at a position', () => {
  const lookUp = async (marked: string) => {
    const position = marked.indexOf('|');
    const doc = Text.of(marked.replace('|', '').split('\n'));
    const rules = { lexicalRules: LEXICAL_RULES.duckdb, isScript: true, keywords: SQL_KEYWORDS.duckdb };
    return findSymbolAt(doc, position, rules, new SymbolSource(request));
  };

  it('is a block of the text, of its package or of an import', async () => {
    const own = await lookUp('SELECT * FROM {{ Ow|n() }};\n#+src sql Own() #+begin SELECT 1 #+end');
    expect(own).toMatchObject({ from: 17, to: 20, symbol: { name: 'Own', file: '', line: 2, column: 11 } });
    expect(await lookUp('SELECT {{ |Sibling(1) }}')).toMatchObject({ symbol: { doc: 'A sibling.' } });
    expect(await lookUp('SELECT {{ base.Orders| }}')).toMatchObject({ symbol: { import: 'base' } });
  });

  it('is null in SQL and for unknown names', async () => {
    expect(await lookUp('SELECT Sib|ling')).toBe(null);
    expect(await lookUp('SELECT {{ Orders| }}')).toBe(null);
    expect(await lookUp('SELECT {{ 1 |}}')).toBe(null);
  });

  it('is known while the server fails, and the server is asked again later', async () => {
    let fails = true;
    const list = async () => {
      if (fails) throw new Error('unreachable');
      return SYMBOLS;
    };
    const symbols = new SymbolSource({ ownFile: '', list });
    const doc = Text.of(['#+src sql Own() #+begin SELECT 1 #+end']);
    const names = async () => (await symbols.list(doc)).data.map(({ name }) => name);
    expect(await names()).toEqual(['Own']);
    fails = false;
    expect(await names()).toEqual(['Own', 'Sibling', 'Orders', 'Format', 'Stale']);
  });
});
