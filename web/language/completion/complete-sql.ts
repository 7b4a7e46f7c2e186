import type { Completion } from '@codemirror/autocomplete';
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
import { listTableNames, type StatementTable, StatementTables } from './statement-tables.ts';
import { findTablePlaces, readStatementWords } from './statement-words.ts';

/** The shortest name or part of a name for which too many tables are searched. */
const MIN_WANTED = 2;

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
  const { rules } = asked;
  const { connection } = await asked.symbols.list(asked.doc);
  const words = readStatementWords(asked, typed.length + (owner === undefined ? 0 : owner.length + 1));
  const wanted = [typed, ...listTableNames(words)].filter((name) => name.length >= MIN_WANTED);
  // Without tables and functions, there are still keywords and blocks.
  const [{ data: tables, omitted }, functions] = await Promise.all([
    asked.listTables(connection, wanted).catch(() => ({ data: [], omitted: 0 })),
    asked.listFunctions(connection).catch(() => []),
  ]);
  const from = asked.position - typed.length;
  // Tables that are not listed can match what is typed next.
  const valid = omitted > 0 ? {} : { validFor: /^[\p{L}\p{N}_$]*$/u };
  const statement = new StatementTables(words, tables, rules.keywords);
  const { used } = statement;
  if (owner !== undefined) {
    const table = used.get(owner.toLowerCase()) ?? statement.find(owner);
    const inSchema = tables.filter(({ schema }) => schema.toLowerCase() === owner.toLowerCase());
    const options = [
      ...(table === undefined ? [] : listColumns(table, print)),
      ...inSchema.map((each) => toTable(each, print(each.name))),
    ];
    return options.length === 0 ? null : { from, options, ...valid };
  }
  const isTable = findTablePlaces(words.filter(({ isBefore }) => isBefore)).isNext;
  const shown = [...new Set(used.values())];
  const columns = isTable ? [] : shown.flatMap((table) => listColumns(table, print));
  const isEarly = !isTable && shown.length === 0;
  return {
    from,
    ...valid,
    options: [
      ...unique(columns),
      ...(isEarly ? listFields(tables, print) : []),
      ...statement.ctes.map((each) => toTable(each, each.written ?? print(each.name), isTable ? 3 : 0)),
      ...tables.map((each) => toTable(each, printTableName(each, dialect), isTable ? 2 : 0)),
      ...functions
        .filter(({ kind }) => (kind === 'table') === isTable)
        .map((each) => toFunction(each, { typed, isCalled: hasParenthesis(asked), print })),
      ...(rules.isScript ? await listBlocks(asked, isTable) : []),
      ...listKeywords(asked, typed, isTable),
    ],
  };
}

/** The fields of all entities of a semantic model, which a statement can name before FROM; none of a database. */
function listFields(tables: readonly TableInfo[], print: (name: string) => string): readonly Completion[] {
  const entities = tables.filter(({ schema }) => schema === '');
  const counts = Map.groupBy(
    entities.flatMap(({ columns }) => columns),
    ({ name }) => name.toLowerCase(),
  );
  return entities.flatMap((entity) =>
    listColumns(entity, print).map((option) => {
      const isUnique = counts.get(option.label.toLowerCase())?.length === 1;
      if (isUnique) return option;
      return {
        ...option,
        label: `${entity.name}.${option.label}`,
        apply: `${print(entity.name)}.${print(option.label)}`,
      };
    }),
  );
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

/** The end of the list, for options that match better than others; without a visible heading. */
const LAST = {
  name: 'last',
  rank: 1,
  header: () => {
    const heading = document.createElement('completion-section');
    heading.hidden = true;
    return heading;
  },
};

/** Keywords, in the case in which one types; where a table is expected, they are the last. */
function listKeywords({ rules }: CompletionRequest, typed: string, isTable: boolean): readonly Completion[] {
  const isLower = typed !== '' && typed === typed.toLowerCase();
  return [...rules.keywords].map((word) => ({
    label: isLower ? word : word.toUpperCase(),
    type: 'keyword',
    boost: -2,
    ...(isTable ? { section: LAST } : {}),
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

function listColumns(
  { name, columns }: StatementTable,
  print: (name: string) => string,
): readonly Completion[] {
  return columns.map((column) => ({
    label: column.name,
    apply: column.written ?? print(column.name),
    detail: column.type === '' ? name : `${column.type} · ${name}`,
    type: 'property',
    boost: 1,
  }));
}

function toTable({ kind, name, columns }: StatementTable, apply: string, boost = 0): Completion {
  const list = columns.slice(0, 12).map((column) => column.name);
  const info = `${list.join(', ')}${columns.length > list.length ? ', …' : ''}`;
  return { label: apply.includes('.') ? apply : name, apply, detail: kind, type: 'type', boost, info };
}

function unique(completions: readonly Completion[]): readonly Completion[] {
  return [...new Map(completions.map((completion) => [completion.label, completion])).values()];
}
