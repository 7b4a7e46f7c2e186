import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import { elementAt } from '../../../invariants/must.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import { toColumn } from '../draft/foreign-sql.ts';

/** A table, and whether its schema is known. */
export interface DbtTable {
  readonly name: string;
  readonly hasSchema: boolean;
}

/** The table of a semantic model, from `model` or from MetricFlow's `node_relation`; null without a table. */
export function readDbtTable(map: ForeignMap, lexicalRules: LexicalRules): DbtTable | null {
  const relation = map.map('node_relation', `\`node_relation\` of ${map.subject}`);
  if (relation === undefined) {
    const name = readReference(map.text('model') ?? '');
    return name === null ? null : { name, hasSchema: false };
  }
  map.ignore('model');
  const alias = relation.text('alias');
  const parts = ['database', 'schema_name'].map((key) => relation.text(key));
  relation.ignore('relation_name');
  relation.finish();
  if (alias === undefined) return null;
  // The user who runs the project sets a schema such as `$source_schema`.
  const known = parts.filter((part): part is string => part !== undefined && part !== '');
  const isKnown = known.length > 0 && known.every((part) => !/[$*{}]/.test(part));
  const names = [...(isKnown ? known : []), alias].map((name) => toColumn(name, lexicalRules));
  return { name: names.join('.'), hasSchema: isKnown };
}

/** The table of `ref('orders')` or `source('shop', 'orders')`; null for anything else. */
function readReference(text: string): string | null {
  const call = /^\s*(?:\{\{)?\s*(ref|source)\s*\(([^()]*)\)\s*(?:\}\})?\s*$/.exec(text);
  if (call === null) return null;
  const args = [...elementAt(call, 2).matchAll(/'([^']*)'|"([^"]*)"/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );
  const name = args.at(-1);
  if (name === undefined || !/^[\p{L}\p{N}_.]+$/u.test(name)) return null;
  return call[1] === 'source' && args.length > 1 ? `${args[0]}.${name}` : name;
}
