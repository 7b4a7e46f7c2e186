import type { LoadColumn } from '../../engine/run/load/columns.ts';
import { printTypeNames } from '../../engine/run/load/read-files.ts';
import { elementAt } from '../../invariants/must.ts';
import { suggest } from '../../text/suggest.ts';
import { loadErrors } from './errors.ts';
import type { AppendTarget } from './find-append-target.ts';
import { findNamedColumn } from './shape.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';

/**
 * The types that the caller or an existing table sets, by the names of columns in the files. Rejects with a ServiceError
 * for unknown columns and types.
 */
export async function declareTypes(
  { settings }: TableToLoad,
  {
    names,
    target,
    found,
    query,
  }: {
    readonly names: readonly string[];
    readonly target: AppendTarget | undefined;
    /** The types of the cells of sheets. */
    readonly found: ReadonlyMap<string, string>;
    readonly query: RunQuery;
  },
): Promise<ReadonlyMap<string, LoadColumn>> {
  const { types = {}, allText, dateFormat, timestampFormat } = settings;
  const formats: Readonly<Record<string, string | undefined>> = {
    DATE: dateFormat,
    TIMESTAMP: timestampFormat,
  };
  const set = await resolveTypes(types, names, query);
  const declared = names.flatMap((name): readonly (readonly [string, LoadColumn])[] => {
    const existing = findNamedColumn(target?.columns ?? [], name);
    const type = allText ? 'VARCHAR' : (set.get(name) ?? existing?.type);
    if (type !== undefined) return [[name, { ...existing, name, type, format: formats[type] }]];
    const cells = found.get(name);
    return cells === undefined ? [] : [[name, { name, type: cells }]];
  });
  return new Map(declared);
}

async function resolveTypes(
  types: Readonly<Record<string, string>>,
  names: readonly string[],
  query: RunQuery,
): Promise<ReadonlyMap<string, string>> {
  const entries = Object.entries(types);
  if (entries.length === 0) return new Map();
  const wrong = entries.find(([name]) => !names.includes(name));
  if (wrong !== undefined) throw loadErrors.unknownColumn(wrong[0], suggest(wrong[0], names));
  const unsafe = entries.find(([, type]) => !isTypeText(type));
  if (unsafe !== undefined) throw loadErrors.unknownColumnType(unsafe[1]);
  const [row] = await query<readonly string[]>(printTypeNames(entries.map(([, type]) => type)));
  return new Map(entries.map(([name], at) => [name, elementAt(row ?? [], at)]));
}

/** Whether a text cannot end the type that it stands for in SQL. */
function isTypeText(text: string): boolean {
  const rest = text.replace(/'[^']*'|"[^"]*"/g, 'x');
  if (!/^[\w\s(),.[\]]+$/.test(rest)) return false;
  let depth = 0;
  for (const character of rest) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && character === ',')) return false;
  }
  return depth === 0;
}
