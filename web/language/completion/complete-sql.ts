import type { Completion } from '@codemirror/autocomplete';
import { scanSql } from '../../../src/engine/text/sql-scanner.ts';
import type { EditorDialect } from '../sql-keywords.ts';
import { printStoredName, printTableName } from '../table-names.ts';
import { toCompletion } from './complete-expression.ts';
import {
  type CompletionRequest,
  type Completions,
  type FunctionInfo,
  type TableInfo,
  textBefore,
} from './context.ts';

/** UTF-16 units around the position in which tables are searched. */
const AROUND = 10_000;
/** The further signatures that a hint shows. */
const MAX_OTHERS = 8;

/** Completes tables, columns, functions, blocks and keywords in SQL. */
export async function completeSql(
  asked: CompletionRequest,
  dialect: EditorDialect,
): Promise<Awaited<Completions>> {
  const before = textBefore(asked);
  const [, owner, typed = ''] =
    /(?:([\p{L}_][\p{L}\p{N}_$]*)\.)?([\p{L}_][\p{L}\p{N}_$]*)?$/u.exec(before) ?? [];
  if (owner === undefined && typed === '' && !asked.isExplicit) return null;
  const print = (name: string) => printStoredName(name, dialect);
  const { connection } = await asked.symbols.list(asked.doc);
  // Without tables and functions, there are still keywords and blocks.
  const [tables, functions] = await Promise.all([
    asked.listTables(connection).catch(() => []),
    asked.listFunctions(connection).catch(() => []),
  ]);
  const from = asked.position - typed.length;
  const validFor = /^[\p{L}\p{N}_$]*$/u;
  const used = findTables(asked);
  if (owner !== undefined) {
    const table = findTable(tables, used.get(owner.toLowerCase()) ?? owner);
    const inSchema = tables.filter(({ schema }) => schema.toLowerCase() === owner.toLowerCase());
    const options = [
      ...(table === undefined ? [] : listColumns(table, print)),
      ...inSchema.map((each) => toTable(each, print(each.name))),
    ];
    return options.length === 0 ? null : { from, options, validFor };
  }
  const isTable = /\b(?:from|join|into|update|table)\s+(?:[\p{L}_][\p{L}\p{N}_$]*)?$/iu.test(before);
  const shown = [...new Set(used.values())].flatMap((name) => findTable(tables, name) ?? []);
  const columns = isTable ? [] : shown.flatMap((table) => listColumns(table, print));
  return {
    from,
    validFor,
    options: [
      ...unique(columns),
      ...tables.map((each) => toTable(each, printTableName(each, dialect), isTable ? 2 : 0)),
      ...functions
        .filter(({ kind }) => (kind === 'table') === isTable)
        .map((each) => toFunction(each, { typed, isCalled: hasParenthesis(asked), print })),
      ...(asked.rules.isScript ? await listBlocks(asked, isTable) : []),
      ...listKeywords(asked, typed),
    ],
  };
}

/** Blocks, which are inserted as expressions. */
async function listBlocks(asked: CompletionRequest, isTable: boolean): Promise<readonly Completion[]> {
  const { data } = await asked.symbols.list(asked.doc);
  return data
    .filter(({ kind }) => kind === 'block' || kind === 'macro')
    .map((symbol) => {
      const name = symbol.import === null ? symbol.name : `${symbol.import}.${symbol.name}`;
      const { detail = '', ...option } = toCompletion({ ...symbol, name }, true);
      const required = symbol.params.filter((param) => param.default === null).map((param) => param.name);
      const apply = `{{ ${name}(${required.join(', ')}) }}`;
      return { ...option, apply, detail: `${detail} ${symbol.kind}`, boost: isTable ? 3 : 0 };
    });
}

/** Keywords, in the case in which one types. */
function listKeywords({ rules }: CompletionRequest, typed: string): readonly Completion[] {
  const isLower = typed !== '' && typed === typed.toLowerCase();
  return [...rules.keywords].map((word) => ({
    label: isLower ? word : word.toUpperCase(),
    type: 'keyword',
    boost: -2,
  }));
}

/** Whether the arguments of a call follow the position. */
function hasParenthesis({ doc, position }: CompletionRequest): boolean {
  return doc.sliceString(position, position + 1) === '(';
}

interface CallPlace {
  readonly typed: string;
  /** Whether the arguments follow already. */
  readonly isCalled: boolean;
  readonly print: (name: string) => string;
}

/** A function with its first signature; the others and its description are the hint. */
function toFunction(
  { name, signatures, description }: FunctionInfo,
  { typed, isCalled, print }: CallPlace,
): Completion {
  const isUpper = typed !== '' && typed === typed.toUpperCase() && typed !== typed.toLowerCase();
  // A name of both cases has quotes.
  const isPlain = name === name.toLowerCase() || name === name.toUpperCase();
  const changed = isUpper ? name.toUpperCase() : name.toLowerCase();
  const [label, written] = isPlain ? [changed, changed] : [name, print(name)];
  const [detail, ...others] = signatures;
  const hint = [...(description === null ? [] : [description]), ...others.slice(0, MAX_OTHERS)].join('\n');
  return {
    label,
    type: 'function',
    apply: isCalled ? written : `${written}(`,
    ...(detail === undefined ? {} : { detail }),
    ...(hint === '' ? {} : { info: hint }),
  };
}

function listColumns({ name, columns }: TableInfo, print: (name: string) => string): readonly Completion[] {
  return columns.map((column) => ({
    label: column.name,
    apply: print(column.name),
    detail: `${column.type} · ${name}`,
    type: 'property',
    boost: 1,
  }));
}

function toTable({ kind, name, columns }: TableInfo, apply: string, boost = 0): Completion {
  const list = columns.slice(0, 12).map((column) => column.name);
  const info = `${list.join(', ')}${columns.length > list.length ? ', …' : ''}`;
  return { label: apply.includes('.') ? apply : name, apply, detail: kind, type: 'type', boost, info };
}

/** The table with a name, which can be qualified. */
function findTable(tables: readonly TableInfo[], name: string): TableInfo | undefined {
  const wanted = name.toLowerCase();
  return tables.find((table) => {
    const tableName = table.name.toLowerCase();
    return tableName === wanted || `${table.schema.toLowerCase()}.${tableName}` === wanted;
  });
}

function unique(completions: readonly Completion[]): readonly Completion[] {
  return [...new Map(completions.map((completion) => [completion.label, completion])).values()];
}

const BEFORE_TABLE: ReadonlySet<string> = new Set(['from', 'join', 'update', 'into', ',']);

interface Word {
  readonly kind: string;
  readonly text: string;
}

/** The tables that the statement around the position names, by their alias or name in lower case. */
function findTables({ doc, position, rules }: CompletionRequest): ReadonlyMap<string, string> {
  const start = Math.max(0, position - AROUND);
  const text = doc.sliceString(start, position + AROUND);
  const [from, to] = findStatement(text, position - start);
  const words = [...scanSql(text.slice(from, to), rules.lexicalRules)]
    .filter(({ kind }) => kind !== 'space' && kind !== 'comment')
    .map(({ kind, start: at, end }): Word => ({ kind, text: text.slice(from + at, from + end) }));
  const tables = new Map<string, string>();
  for (const [at, { text: word }] of words.entries()) {
    const name = BEFORE_TABLE.has(word.toLowerCase()) ? readName(words, at + 1) : [];
    const [last] = name.slice(-1);
    if (last === undefined) continue;
    const full = name.slice(-2).join('.');
    tables.set(last.toLowerCase(), full);
    const alias = readAlias(words, at + 2 * name.length, rules.keywords);
    if (alias !== null) tables.set(alias.toLowerCase(), full);
  }
  return tables;
}

/** The parts of the qualified name that starts at a word. */
function readName(words: readonly Word[], at: number): readonly string[] {
  const word = words[at];
  if (word === undefined || !isName(word.kind)) return [];
  const parts = words[at + 1]?.text === '.' ? readName(words, at + 2) : [];
  return [unquote(word.text), ...parts];
}

function readAlias(words: readonly Word[], at: number, keywords: ReadonlySet<string>): string | null {
  const word = words[words[at]?.text.toLowerCase() === 'as' ? at + 1 : at];
  if (word === undefined || !isName(word.kind) || keywords.has(word.text.toLowerCase())) return null;
  return unquote(word.text);
}

function isName(kind: string): boolean {
  return kind === 'word' || kind === 'quoted-name';
}

function unquote(name: string): string {
  return /^["`[]/.test(name) ? name.slice(1, -1) : name;
}

/** The statement around an offset: from the `;` or the directive before it to the next one. */
function findStatement(text: string, offset: number): readonly [from: number, to: number] {
  const before = text.slice(0, offset);
  const from = Math.max(before.lastIndexOf(';') + 1, before.lastIndexOf('#+begin') + 1, 0);
  const end = text.slice(offset).search(/;|#\+end/);
  return [from, end === -1 ? text.length : offset + end];
}
