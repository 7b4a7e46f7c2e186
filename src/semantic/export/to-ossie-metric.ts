import type { Entity, Measure } from '../model/model.ts';
import { exportLosses } from './errors.ts';
import { OSSIE_TYPES } from './ossie-terms.ts';
import {
  findClash,
  noteLoss,
  type OssieMap,
  type OssieWriter,
  toAiContext,
  toExtensions,
  toOssieExpression,
  toOssieMap,
} from './ossie-writer.ts';
import { printOssieMetric } from './print-ossie-metric.ts';

/** A metric of Ossie, or a part of the dataset's extension if Ossie cannot express it. */
export type OssieMeasure = { readonly metric: OssieMap } | { readonly own: OssieMap };

/** Converts a measure to a metric of Ossie called `name`. */
export function toOssieMetric(
  measure: Measure,
  entity: Entity,
  name: string,
  writer: OssieWriter,
): OssieMeasure {
  const subject = `${entity.name}.${measure.name}`;
  const at = entity.measures.indexOf(measure);
  const own = toOwn(measure);
  const printed = printOssieMetric(entity.name, measure, writer.lexicalRules);
  const clash = findClash(`${measure.expr} ${measure.filter ?? ''}`, entity, writer.lexicalRules, null);
  if (printed === null || clash !== undefined) {
    const why = clash === undefined ? exportLosses.customFilter() : exportLosses.columnOrField(clash);
    noteLoss(writer, 'dropped', subject, why);
    const { description: x_description, synonyms: x_synonyms } = measure;
    return { own: toOssieMap({ ...own, x_description, x_synonyms, at }) };
  }
  if (!printed.isQualified) noteLoss(writer, 'approximated', subject, exportLosses.unqualified());
  if (measure.hidden) noteLoss(writer, 'approximated', subject, exportLosses.seen());
  if (measure.label !== undefined)
    noteLoss(writer, 'approximated', `the label of ${subject}`, exportLosses.ownOnly());
  if (name !== measure.name) noteLoss(writer, 'approximated', subject, exportLosses.renamed(name));
  const isPlain = name === measure.name && isDefinedByMetric(measure);
  const metric = toOssieMap({
    name,
    expression: toOssieExpression(printed.text, writer),
    datatype: OSSIE_TYPES[measure.dataType] ?? undefined,
    description: measure.description,
    ai_context: toAiContext(measure.synonyms),
    custom_extensions: isPlain ? undefined : toExtensions({ entity: entity.name, ...own }),
  });
  return { metric };
}

function toOwn({ name, label, hidden, dataType, aggregation, expr, filter }: Measure): OssieMap {
  return toOssieMap({
    name,
    label,
    data_type: dataType,
    aggregation_type: aggregation,
    expr,
    x_filter: filter ?? undefined,
    hidden: hidden || undefined,
  });
}

/** Whether the metric alone defines the measure: one aggregation of a column, or of rows. */
function isDefinedByMetric({ label, hidden, dataType, aggregation, expr, filter }: Measure): boolean {
  const isCount = aggregation === 'COUNT' || aggregation === 'COUNT_DISTINCT';
  if (label !== undefined || hidden || filter !== null || aggregation === 'CUSTOM') return false;
  return (expr === '*' || /^[A-Za-z_]\w*$/.test(expr)) && !(isCount && dataType === 'NUMBER');
}
