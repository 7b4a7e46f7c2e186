import { Document, isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { ModelDocument } from './model-schema.ts';

/** The maximum length of a line that holds a field with all its keys. */
const MAX_LINE_LENGTH = 130;

/** The order of keys in printed models; other keys follow. */
const KEYS: readonly string[] = [
  ...[
    'version',
    'name',
    'label',
    'description',
    'environment',
    'platform',
    'x_timezone',
    'table_name',
    'query',
  ],
  ...[
    'x_primary_key',
    'x_synonyms',
    'data_type',
    'aggregation_type',
    'join_type',
    'to_entity',
    'expr',
    'hidden',
    'reason',
  ],
];

/** Prints a model file in the usual style: one field per line, if it fits (docs/reference/semantic-model.md#keys). */
export function printModel(model: ModelDocument): string {
  const document = new Document(model, { aliasDuplicateObjects: false });
  const version: unknown = document.get('version', true);
  if (isScalar(version)) version.type = 'QUOTE_DOUBLE';
  const layers: unknown = document.get('layers', true);
  if (isNode(layers)) document.set('layers', shape(layers));
  return document.toString({ lineWidth: 0, indentSeq: false, flowCollectionPadding: true });
}

/** Prints small nodes on one line. */
function shape(node: Node): Node {
  if (isSeq(node)) {
    for (const item of node.items) if (isNode(item)) shape(item);
    node.flow = node.items.every((item) => !isMap(item));
  } else if (isMap(node)) {
    node.items.sort((one, other) => rank(one) - rank(other));
    for (const { value } of node.items) if (isNode(value)) shape(value);
    node.flow = isShort(node);
  }
  return node;
}

function rank({ key }: Pair): number {
  const at = KEYS.indexOf(String(key));
  return at === -1 ? KEYS.length : at;
}

function isShort(node: Node): boolean {
  const value: Record<string, unknown> = node.toJSON();
  const isNested = ['layers', 'domains', 'entities', 'dimensions', 'measures', 'relationships'].some((key) =>
    Object.hasOwn(value, key),
  );
  return (
    !isNested && !JSON.stringify(value).includes('\\n') && JSON.stringify(value).length < MAX_LINE_LENGTH
  );
}
