import type { TableInfo } from './context.ts';
import { findClosing, findTablePlaces, isName, type StatementWord, unquote } from './statement-words.ts';

/** What a statement reads: a table of the connection, a common table expression, or a query in parentheses. */
export interface StatementTable extends Omit<TableInfo, 'kind' | 'columns'> {
  readonly kind: TableInfo['kind'] | 'CTE' | 'query';
  /** The name as the statement has it; missing for a table of the connection. */
  readonly written?: string;
  readonly columns: readonly Column[];
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** The name as the statement has it; missing for a column of the connection. */
  readonly written?: string;
}

/** A part of the words: from an index up to another one. */
type Range = readonly [from: number, to: number];

/** A common table expression, or a query in parentheses with its alias. */
interface Query {
  readonly name: StatementWord;
  readonly kind: 'CTE' | 'query';
  /** The columns that are declared after the name; empty without a declaration. */
  readonly declared: readonly StatementWord[];
  /** Its words, without the parentheses. */
  readonly body: Range;
}

/** Depth of queries that read from queries. */
const MAX_DEPTH = 20;

/** The words after which a select list ends. */
const AFTER_LIST: ReadonlySet<string> = new Set(
  'from where group having order limit union intersect except window qualify into'.split(' '),
);
/** Keywords that can end an expression before an alias without AS. */
const END_OF_VALUE: ReadonlySet<string> = new Set(['end', 'null', 'true', 'false', ')', ']']);

/** The tables and queries of a statement. Reads the words alone, because a statement is rarely valid while one types. */
export class StatementTables {
  readonly #words: readonly StatementWord[];
  readonly #tables: readonly TableInfo[];
  readonly #keywords: ReadonlySet<string>;
  readonly #places: readonly number[];
  readonly #ctes: ReadonlyMap<string, Query>;
  readonly #columns = new Map<Query, readonly Column[]>();

  constructor(words: readonly StatementWord[], tables: readonly TableInfo[], keywords: ReadonlySet<string>) {
    this.#words = words;
    this.#tables = tables;
    this.#keywords = keywords;
    this.#places = findTablePlaces(words).places;
    this.#ctes = new Map(readCtes(words).map((query) => [unquote(query.name.text).toLowerCase(), query]));
  }

  /** The common table expressions that can be read. */
  get ctes(): readonly StatementTable[] {
    return [...this.#ctes.values()].map((query) => this.#describe(query, 0));
  }

  /** What the statement reads, by its alias or name in lower case. */
  get used(): ReadonlyMap<string, StatementTable> {
    return this.#read([0, this.#words.length], 0);
  }

  /** The relations that a range reads. */
  #read([from, to]: Range, depth: number): ReadonlyMap<string, StatementTable> {
    const used = new Map<string, StatementTable>();
    for (const at of this.#places) {
      if (at < from || at >= to) continue;
      for (const [name, relation] of this.#readPlace(at, depth)) used.set(name.toLowerCase(), relation);
    }
    return used;
  }

  /** The relation at a place, under its names. */
  #readPlace(at: number, depth: number): readonly (readonly [string, StatementTable])[] {
    if (this.#words[at]?.plain === '(') {
      const end = findClosing(this.#words, at);
      const alias = this.#readAlias(end);
      if (alias === null) return [];
      const query = { ...alias, kind: 'query', body: [at + 1, end - 1] } as const;
      return [[unquote(alias.name.text), this.#describe(query, depth)]];
    }
    const name = readName(this.#words, at);
    const relation = this.find(name.slice(-2).join('.'), depth);
    const last = name.at(-1);
    if (relation === undefined || last === undefined) return [];
    const alias = this.#readAlias(at + 2 * name.length - 1);
    return [[last, relation], ...(alias === null ? [] : ([[unquote(alias.name.text), relation]] as const))];
  }

  /** The relation with a name, which can be qualified. */
  find(name: string, depth = 0): StatementTable | undefined {
    const wanted = name.toLowerCase();
    const cte = this.#ctes.get(wanted);
    if (cte !== undefined) return this.#describe(cte, depth);
    return this.#tables.find((table) => {
      const tableName = table.name.toLowerCase();
      return tableName === wanted || `${table.schema.toLowerCase()}.${tableName}` === wanted;
    });
  }

  /** The alias at an index, with its columns; null without one. */
  #readAlias(index: number): Pick<Query, 'name' | 'declared'> | null {
    const at = this.#words[index]?.plain === 'as' ? index + 1 : index;
    const word = this.#words[at];
    if (!isName(word) || this.#keywords.has(word.plain)) return null;
    return { name: word, declared: readDeclared(this.#words, at + 1) };
  }

  #describe(query: Query, depth: number): StatementTable {
    const { text } = query.name;
    const columns = this.#listColumns(query, depth);
    return { schema: '', name: unquote(text), written: text, kind: query.kind, columns };
  }

  #listColumns(query: Query, depth: number): readonly Column[] {
    const known = this.#columns.get(query);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) return [];
    // A recursive query reads itself.
    this.#columns.set(
      query,
      query.declared.map((word) => toColumn(word)),
    );
    const selected = this.#select(query.body, depth + 1);
    const columns =
      query.declared.length === 0
        ? selected
        : query.declared.map((word, at) => toColumn(word, selected[at]?.type));
    this.#columns.set(query, columns);
    return columns;
  }

  /** The columns of the first SELECT within a range. */
  #select([from, to]: Range, depth: number): readonly Column[] {
    const words = this.#words;
    const tops = listTops(words, [from, to]);
    const select = tops.find((at) => words[at]?.plain === 'select');
    const first = words[from]?.plain;
    if (select === undefined && first === '(')
      return this.#select([from + 1, findClosing(words, from, to) - 1], depth);
    if (select === undefined && first !== 'from') return [];
    const end = tops.find((at) => at > (select ?? from) && isSetOperation(words[at])) ?? to;
    const sources = this.#read([from, end], depth);
    if (select === undefined) return listAll(sources);
    return splitList(words, tops, skipDistinct(words, select + 1), end).flatMap((item) =>
      this.#name(item, sources),
    );
  }

  /** The columns of an item of a select list: several for `*`, none for an expression without a name. */
  #name([from, to]: Range, sources: ReadonlyMap<string, StatementTable>): readonly Column[] {
    const item = this.#words.slice(from, to);
    const star = item.findIndex(({ plain }) => plain === '*');
    const before = star > 0 ? readPath(item.slice(0, star - 1)) : [];
    if (star === 0) return withoutExcluded(listAll(sources), item.slice(1));
    if (star > 1 && before !== null && item[star - 1]?.plain === '.') {
      const columns = sources.get(before.at(-1)?.toLowerCase() ?? '')?.columns ?? [];
      return withoutExcluded(columns, item.slice(star + 1));
    }
    const path = readPath(item);
    const last = item.at(-1);
    if (path !== null && last !== undefined) return [toColumn(last, findType(path, sources))];
    const alias = this.#readItemAlias(item);
    return alias === null ? [] : [toColumn(alias)];
  }

  #readItemAlias(item: readonly StatementWord[]): StatementWord | null {
    const [first, colon, next] = item;
    // DuckDB: `name: expression`.
    if (isName(first) && colon?.plain === ':' && next?.plain !== ':') return first;
    const last = item.at(-1);
    const before = item.at(-2);
    if (!isName(last) || before === undefined) return null;
    if (before.plain === 'as') return last;
    const isEnd =
      END_OF_VALUE.has(before.plain) || (before.kind !== 'punctuation' && !this.#keywords.has(before.plain));
    return isEnd && !this.#keywords.has(last.plain) ? last : null;
  }
}

/** The names of the tables that a statement reads, without their schemas. */
export function listTableNames(words: readonly StatementWord[]): readonly string[] {
  const names = findTablePlaces(words).places.flatMap((at) => readName(words, at).slice(-1));
  return [...new Set(names)];
}

function toColumn({ text }: StatementWord, type = ''): Column {
  return { name: unquote(text), type, written: text };
}

/** The common table expressions that a statement declares, at every depth. */
function readCtes(words: readonly StatementWord[]): readonly Query[] {
  const queries: Query[] = [];
  for (const [index, { plain }] of words.entries()) {
    if (plain !== 'with') continue;
    let at = words[index + 1]?.plain === 'recursive' ? index + 2 : index + 1;
    for (let query = readCte(words, at); query !== null; query = readCte(words, at)) {
      queries.push(query);
      at = query.body[1] + 1;
      if (words[at]?.plain !== ',') break;
      at += 1;
    }
  }
  return queries;
}

/** `name (columns) AS MATERIALIZED (body)`; null for anything else. */
function readCte(words: readonly StatementWord[], at: number): Query | null {
  const name = words[at];
  if (!isName(name)) return null;
  let next = words[at + 1]?.plain === '(' ? findClosing(words, at + 1) : at + 1;
  // DuckDB: USING KEY (columns).
  if (words[next]?.plain === 'using') next = findClosing(words, next + 2);
  if (words[next]?.plain !== 'as') return null;
  const open = [next + 1, next + 2, next + 3].find((index) => words[index]?.plain === '(');
  if (open === undefined) return null;
  const end = findClosing(words, open);
  const body: Range = [open + 1, words[end - 1]?.plain === ')' ? end - 1 : end];
  return { name, kind: 'CTE', declared: readDeclared(words, at + 1), body };
}

/** The names in parentheses at an index. */
function readDeclared(words: readonly StatementWord[], at: number): readonly StatementWord[] {
  if (words[at]?.plain !== '(') return [];
  const inside = words.slice(at + 1, findClosing(words, at) - 1);
  return inside.filter(isName);
}

/** The parts of the qualified name that starts at an index. */
function readName(words: readonly StatementWord[], at: number): readonly string[] {
  const word = words[at];
  if (!isName(word)) return [];
  const parts = words[at + 1]?.plain === '.' ? readName(words, at + 2) : [];
  return [unquote(word.text), ...parts];
}

/** The parts of a qualified name; null if the words are anything else. */
function readPath(words: readonly StatementWord[]): readonly string[] | null {
  const parts = readName(words, 0);
  return parts.length > 0 && words.length === 2 * parts.length - 1 ? parts : null;
}

/** The indexes of a range that are outside of parentheses. */
function listTops(words: readonly StatementWord[], [from, to]: Range): readonly number[] {
  const tops: number[] = [];
  for (let at = from; at < to; ) {
    tops.push(at);
    at = words[at]?.plain === '(' ? findClosing(words, at, to) : at + 1;
  }
  return tops;
}

function isSetOperation(word: StatementWord | undefined): boolean {
  return word !== undefined && ['union', 'intersect', 'except'].includes(word.plain);
}

/** The index after DISTINCT, DISTINCT ON (…) or ALL. */
function skipDistinct(words: readonly StatementWord[], at: number): number {
  const { plain } = words[at] ?? { plain: '' };
  if (plain !== 'distinct' && plain !== 'all') return at;
  return words[at + 1]?.plain === 'on' ? findClosing(words, at + 2) : at + 1;
}

/** The items of a select list. */
function splitList(
  words: readonly StatementWord[],
  tops: readonly number[],
  from: number,
  to: number,
): readonly Range[] {
  const isEnd = (at: number) =>
    AFTER_LIST.has(words[at]?.plain ?? '') &&
    words[at - 1]?.plain !== 'distinct' &&
    words[at - 1]?.plain !== '.';
  const end = tops.find((at) => at >= from && at < to && isEnd(at)) ?? to;
  const commas = tops.filter((at) => at >= from && at < end && words[at]?.plain === ',');
  const starts = [from, ...commas.map((at) => at + 1)];
  return starts.map((start, nth) => [start, commas[nth] ?? end]);
}

/** The columns of all relations, each relation once. */
function listAll(sources: ReadonlyMap<string, StatementTable>): readonly Column[] {
  return [...new Set(sources.values())].flatMap(({ columns }) => columns);
}

/** The columns without those of `EXCLUDE (a, b)`. */
function withoutExcluded(columns: readonly Column[], after: readonly StatementWord[]): readonly Column[] {
  if (after[0]?.plain !== 'exclude') return columns;
  const names = after.slice(1, after[1]?.plain === '(' ? findClosing(after, 1) : 2).filter(isName);
  const excluded = new Set(names.map(({ text }) => unquote(text).toLowerCase()));
  return columns.filter(({ name }) => !excluded.has(name.toLowerCase()));
}

/** The type of the column with a name, which can be qualified; empty if it is not known. */
function findType(path: readonly string[], sources: ReadonlyMap<string, StatementTable>): string {
  const [name = '', owner] = path.toReversed();
  const tables = owner === undefined ? [...sources.values()] : [sources.get(owner.toLowerCase())];
  const columns = tables.flatMap((table) => table?.columns ?? []);
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase())?.type ?? '';
}
