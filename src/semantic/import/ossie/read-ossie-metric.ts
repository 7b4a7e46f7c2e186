import { elementAt } from '../../../invariants/must.ts';
import { printOssieMetric } from '../../export/print-ossie-metric.ts';
import type { DataType } from '../../model/model.ts';
import type { MeasureDocument } from '../../model/model-schema.ts';
import { toFieldKeys, toMeasureType, toName } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import {
  type ForeignToken,
  hasWindow,
  isColumn,
  listForeignTokens,
  readAggregate,
  readName,
  replaceSpans,
  wrapSql,
} from '../draft/foreign-sql.ts';
import { type OssieDataset, type OssieScope, takeExpression, takeSynonyms } from './ossie-scope.ts';
import { readOwnMeasure, takeExtension } from './own-extension.ts';

/** Reads a metric of Ossie into a measure of the only entity in its expression, or from Quern's extension. */
export function readOssieMetric(map: ForeignMap, scope: OssieScope): undefined {
  const originalName = map.text('name');
  if (originalName === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the metric ${originalName}`;
  const text = takeExpression(map, scope);
  if (text === undefined) return;
  const type = readType(map);
  if (type === undefined) return;
  const synonyms = takeSynonyms(map);
  const extension = takeExtension(map);
  const description = map.text('description');
  map.finish();
  const extensionMeasure = extension === undefined ? null : readOwn(extension, text, scope);
  const datasetMeasure =
    extensionMeasure ??
    readMeasure(map, { name: toName(originalName, map.origin), text, type: type ?? undefined }, scope);
  if (datasetMeasure === undefined) return;
  const measure = { ...datasetMeasure.measure, ...toFieldKeys({ description, synonyms }) };
  datasetMeasure.dataset.entity.measures.push(measure);
  scope.draft.origins.set(measure, map.origin);
}

interface Placed {
  readonly dataset: OssieDataset;
  readonly measure: MeasureDocument;
}

const NUMBERS: Readonly<Record<string, DataType | null>> = {
  integer: 'INTEGER',
  decimal: 'DECIMAL',
  float: 'FLOAT',
  number: null,
};

/** Reads the type of a metric: null without a type; undefined if the metric is left out because of it. */
function readType(map: ForeignMap): DataType | null | undefined {
  const datatype = map.text('datatype');
  if (datatype === undefined) return null;
  const type = datatype.toLowerCase();
  if (Object.hasOwn(NUMBERS, type)) return NUMBERS[type];
  return map.drop(importMessages.noMeasureType(datatype), map.place('datatype'));
}

/** The measure in Quern's extension of a metric, if both agree; otherwise null. */
function readOwn(extension: ForeignMap, text: string, { datasets, lexicalRules }: OssieScope): Placed | null {
  const dataset = datasets.get(extension.text('entity')?.toLowerCase() ?? '');
  const measure = readOwnMeasure(extension);
  extension.finish();
  if (dataset === undefined || measure === undefined) return extension.drop(importMessages.stale()) ?? null;
  const { aggregation_type: aggregation, expr, x_filter: filter = null } = measure;
  const again = printOssieMetric(dataset.entity.name, { aggregation, expr, filter }, lexicalRules);
  if (again?.text !== text) return extension.drop(importMessages.stale()) ?? null;
  return { dataset, measure: { ...measure, name: toName(measure.name, extension.origin) } };
}

interface Metric {
  readonly name: string;
  readonly text: string;
  readonly type: DataType | undefined;
}

function readMeasure(map: ForeignMap, { name, text, type }: Metric, scope: OssieScope): Placed | undefined {
  const words = listForeignTokens(text, scope.lexicalRules);
  const chains = listChains(words, scope);
  if (typeof chains === 'string') return map.drop(chains);
  const datasets = new Set(chains.flatMap(({ dataset }) => dataset ?? []));
  const only = scope.datasets.size === 1 ? [...scope.datasets.values()] : [];
  const [dataset, ...others] = datasets.size > 0 ? datasets : only;
  if (dataset === undefined) return map.drop(importMessages.noEntity());
  if (others.length > 0) {
    return map.drop(importMessages.severalEntities([...datasets].map(({ entity }) => entity.name)));
  }
  const sql = substitute(text, chains, dataset, scope);
  if (sql === null) return map.drop(importMessages.tooLong());
  if (hasWindow(sql, scope.lexicalRules)) return map.drop(importMessages.window());
  const read = readAggregate(sql, scope.lexicalRules);
  if (read === null) return map.drop(importMessages.noAggregate());
  const { aggregation, expr } = read;
  const data_type = toMeasureType(aggregation, type);
  return { dataset, measure: { name, data_type, expr, aggregation_type: aggregation } };
}

/** A name in an expression, optionally with its dataset. */
interface Chain {
  readonly start: number;
  readonly end: number;
  readonly dataset: OssieDataset | null;
  /** `*` means all columns. */
  readonly name: string;
}

/** The names in an expression that could be columns, or an error message for an unknown name. */
function listChains(words: readonly ForeignToken[], scope: OssieScope): readonly Chain[] | string {
  const chains: Chain[] = [];
  for (let at = 0; at < words.length; ) {
    const parts = takeChain(words, at);
    at += parts.length * 2 - 1;
    const isCall = words[at]?.text === '(';
    if (parts.length === 1 && (isCall || readName(elementAt(parts, 0)) === null)) continue;
    const chain = isCall ? null : toChain(parts, scope);
    if (chain === null) return importMessages.unknownMember(parts.map(({ text }) => text).join('.'));
    chains.push(chain);
  }
  return chains;
}

/** A word, and the following words joined with dots. */
function takeChain(words: readonly ForeignToken[], start: number): readonly ForeignToken[] {
  const parts = [elementAt(words, start)];
  for (let at = start + 1; words[at]?.text === '.' && words[at + 1] !== undefined; at += 2)
    parts.push(elementAt(words, at + 1));
  return parts;
}

function toChain(parts: readonly ForeignToken[], { datasets }: OssieScope): Chain | null {
  const [first, last] = [elementAt(parts, 0), elementAt(parts, -1)];
  const dataset = parts.length === 1 ? null : datasets.get(readName(first)?.toLowerCase() ?? '');
  if (dataset === undefined || parts.length > 2) return null;
  return { start: first.start, end: last.end, dataset, name: readName(last) ?? last.text };
}

/** The expression over the entity's columns: without datasets, and with the expressions of its fields. */
function substitute(
  text: string,
  chains: readonly Chain[],
  { fields }: OssieDataset,
  { lexicalRules }: OssieScope,
): string | null {
  const replacements = chains.map(({ start, end, dataset, name }) => {
    const field = fields.get(name.toLowerCase());
    const written = text.slice(start, end);
    const column = dataset === null ? written : written.slice(written.indexOf('.') + 1).trim();
    return {
      start,
      end,
      sql: field === undefined ? column : isColumn(field, lexicalRules) ? field.trim() : wrapSql(field),
    };
  });
  return replaceSpans(text, replacements);
}
