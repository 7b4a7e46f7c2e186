import { Document } from 'yaml';
import { entryOf } from '../../invariants/must.ts';
import type { Loss } from '../import/draft/losses.ts';
import type { Domain, Entity, Layer, Model } from '../model/model.ts';
import { DIALECTS } from '../sql/dialects.ts';
import { exportLosses } from './errors.ts';
import { findOssieDialect, OSSIE_VERSION } from './ossie-terms.ts';
import {
  noteLoss,
  type OssieMap,
  type OssieWriter,
  toAiContext,
  toExtensions,
  toOssieMap,
} from './ossie-writer.ts';
import { toOssieDataset } from './to-ossie-dataset.ts';
import { toOssieLink } from './to-ossie-link.ts';
import { toOssieMetric } from './to-ossie-metric.ts';

/** A model in another format, and the warnings of the export. */
export interface ExportedModel {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** Prints a model as an Apache Ossie document (0.2.0.dev0), with one semantic model per layer. Never throws. */
export function printOssie({ layers }: Model): ExportedModel {
  const losses: Loss[] = [];
  const semantic_model = layers.map((layer) => toSemanticModel(layer, losses));
  const document = new Document({ version: OSSIE_VERSION, semantic_model }, { aliasDuplicateObjects: false });
  return { text: document.toString({ lineWidth: 0, indentSeq: false }), losses };
}

function toSemanticModel(layer: Layer, losses: Loss[]): OssieMap {
  const { name, label, platform, timezone, synonyms, domains } = layer;
  const writer: OssieWriter = { platform, lexicalRules: DIALECTS[platform].lexicalRules, losses };
  const dialect = findOssieDialect(platform);
  if (dialect === 'ANSI_SQL')
    noteLoss(writer, 'approximated', `the layer ${name}`, exportLosses.noDialect(platform, dialect));
  if (label !== undefined)
    noteLoss(writer, 'approximated', `the label of the layer ${name}`, exportLosses.ownOnly());
  if (timezone !== 'UTC')
    noteLoss(writer, 'approximated', `the time zone of the layer ${name}`, exportLosses.ownOnly());
  const only = findOnly(layer);
  if (only === null)
    noteLoss(writer, 'approximated', `the domains of the layer ${name}`, exportLosses.ownOnly());
  const entities = domains.flatMap((domain) => domain.entities);
  const parts = collectParts(entities, writer);
  return toOssieMap({
    name,
    description: only?.description,
    ai_context: toAiContext(synonyms),
    datasets: entities.map((entity) => toOssieDataset(entity, entryOf(parts.own, entity), writer)),
    relationships: parts.relationships,
    metrics: parts.metrics,
    custom_extensions: toExtensions({
      platform,
      label,
      x_timezone: timezone === 'UTC' ? undefined : timezone,
      domains: only === null ? domains.map(toOwnDomain) : undefined,
    }),
  });
}

/** The only domain of a layer, if it adds nothing to Ossie's semantic model. */
function findOnly({ name, domains }: Layer): Domain | null {
  const [domain, ...others] = domains;
  if (domain === undefined || others.length > 0 || domain.name !== name) return null;
  return domain.label === undefined && domain.synonyms.length === 0 ? domain : null;
}

function toOwnDomain({ name, label, description, synonyms, entities }: Domain): OssieMap {
  const names = entities.map((entity) => entity.name);
  return toOssieMap({ name, label, description, x_synonyms: synonyms, entities: names });
}

interface Own {
  readonly measures: OssieMap[];
  readonly relationships: OssieMap[];
  readonly uniqueKeys: (readonly string[])[];
}

/** Collects the metrics and relationships of all entities, and the parts that cannot be expressed as either. */
function collectParts(entities: readonly Entity[], writer: OssieWriter) {
  const own = new Map<Entity, Own>(
    entities.map((entity) => [entity, { measures: [], relationships: [], uniqueKeys: [] }]),
  );
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const [metrics, relationships]: [OssieMap[], OssieMap[]] = [[], []];
  const [metricNames, linkNames] = [new Set<string>(), new Set<string>()];
  for (const entity of entities) {
    for (const measure of entity.measures) {
      const made = toOssieMetric(measure, entity, findFree(measure.name, entity, metricNames), writer);
      if ('own' in made) entryOf(own, entity).measures.push(made.own);
      else metrics.push(made.metric);
    }
    for (const relationship of entity.relationships) {
      const name = findFree(relationship.name, entity, linkNames);
      const link = toOssieLink(relationship, entity, { name, byName }, writer);
      if (link.uniqueKey !== undefined) addKey(entryOf(own, link.uniqueKey.entity), link.uniqueKey.columns);
      if (link.relationship === undefined) entryOf(own, entity).relationships.push(link.own);
      else relationships.push(link.relationship);
    }
  }
  return { own, metrics, relationships };
}

function addKey({ uniqueKeys }: Own, columns: readonly string[]): void {
  if (uniqueKeys.every((known) => known.join('\0') !== columns.join('\0'))) uniqueKeys.push(columns);
}

/** Finds a name that is unique in the whole semantic model. */
function findFree(name: string, entity: Entity, taken: Set<string>): string {
  const candidates = [name, `${entity.name}__${name}`];
  for (let at = 2; ; at += 1) {
    const found = candidates.find((candidate) => !taken.has(candidate.toLowerCase()));
    if (found !== undefined) {
      taken.add(found.toLowerCase());
      return found;
    }
    candidates.push(`${entity.name}__${name}_${at}`);
  }
}
