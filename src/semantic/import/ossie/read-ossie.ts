import { entryOf } from '../../../invariants/must.ts';
import { OSSIE_VERSION } from '../../export/ossie-terms.ts';
import type { Platform } from '../../model/model.ts';
import { PLATFORMS } from '../../model/model.ts';
import type { DomainDocument, LayerDocument } from '../../model/model-schema.ts';
import { DIALECTS } from '../../sql/dialects.ts';
import {
  createDraft,
  type ForeignFile,
  type ModelDraft,
  type ReadOptions,
  toFieldKeys,
  toName,
} from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import { ForeignMap } from '../draft/foreign-map.ts';
import { type OssieDataset, type OssieScope, takeSynonyms } from './ossie-scope.ts';
import { takeExtension } from './own-extension.ts';
import { readOssieDataset } from './read-ossie-dataset.ts';
import { readOssieMetric } from './read-ossie-metric.ts';
import { readOssieRelationship } from './read-ossie-relationship.ts';

/** Reads semantic models of Apache Ossie 0.2.0.dev0 and earlier drafts, one layer for each. */
export function readOssie(files: readonly ForeignFile[], options: ReadOptions): ModelDraft {
  const draft = createDraft();
  for (const { root, losses } of files) {
    if (root.kind !== 'map') continue;
    const document = new ForeignMap(root, 'the document', losses);
    document.ignore('dialects', 'vendors');
    const version = document.text('version') ?? OSSIE_VERSION;
    if (!/^0\.[12]\b/.test(version)) {
      losses.approximate(
        document.place('version'),
        `the version ${version}`,
        importMessages.readAs(OSSIE_VERSION),
      );
    }
    if (document.has('datasets')) {
      readModel(document, options, draft);
      continue;
    }
    if (document.any('ai_context') !== undefined)
      document.refuse('ai_context', importMessages.forAssistants());
    for (const model of document.maps('semantic_model', 'a semantic model')) readModel(model, options, draft);
    document.finish();
  }
  return draft;
}

function readModel(map: ForeignMap, options: ReadOptions, draft: ModelDraft): undefined {
  const originalName = map.text('name') ?? 'ossie';
  map.subject = `the semantic model ${originalName}`;
  const name = toName(originalName, map.origin);
  const isTaken = draft.layers.some((layer) => layer.name.toLowerCase() === name.toLowerCase());
  if (isTaken) return map.drop(importMessages.otherName(name));
  const extension = takeExtension(map);
  const platform = choosePlatform(map, extension, options);
  const domain: DomainDocument = { name, entities: [] };
  const label = extension?.text('label');
  const zone = extension?.text('x_timezone');
  const layer: LayerDocument = {
    name,
    ...(label === undefined ? {} : { label }),
    environment: { platform },
    domains: [domain],
    ...(zone === undefined ? {} : { x_timezone: zone }),
    ...toFieldKeys({ synonyms: takeSynonyms(map) }),
  };
  readDescription(map, extension, domain);
  draft.layers.push(layer);
  draft.origins.set(layer, map.origin);
  const scope: OssieScope = {
    draft,
    platform,
    lexicalRules: DIALECTS[platform].lexicalRules,
    datasets: new Map(),
  };
  for (const dataset of map.maps('datasets', 'a dataset')) readOssieDataset(dataset, layer, scope);
  for (const relationship of map.maps('relationships', 'a relationship')) {
    readOssieRelationship(relationship, scope);
  }
  for (const metric of map.maps('metrics', 'a metric')) readOssieMetric(metric, scope);
  for (const dataset of scope.datasets.values()) addExtensionParts(dataset, draft);
  reportUniqueKeys(scope);
  if (extension !== undefined) splitDomain(extension, layer);
  map.finish();
}

/** The description of the model goes to its only domain. With several domains, each has its own description. */
function readDescription(map: ForeignMap, extension: ForeignMap | undefined, domain: DomainDocument): void {
  const description = map.text('description');
  if (description === undefined) return;
  if (extension?.has('domains')) map.refuse('description', importMessages.stale());
  else domain.description = description;
}

function choosePlatform(map: ForeignMap, extension: ForeignMap | undefined, options: ReadOptions): Platform {
  const name = extension?.text('platform');
  const platform = PLATFORMS.find((candidate) => candidate === name);
  if (options.platform !== undefined && platform !== undefined && platform !== options.platform) {
    map.approximate(importMessages.otherPlatform(platform, options.platform));
  }
  return options.platform ?? platform ?? 'duckdb';
}

/** Moves the parts in Quern's extension of a dataset to their original place. */
function addExtensionParts({ entity, extensionParts }: OssieDataset, { origins }: ModelDraft): void {
  for (const { document, at, origin } of extensionParts.measures) {
    entity.measures.splice(at, 0, document);
    origins.set(document, origin);
  }
  for (const { document, at, origin } of extensionParts.relationships) {
    entity.relationships.splice(at, 0, document);
    origins.set(document, origin);
  }
}

/** Reports unique keys that no one-to-one relationship needs, because the model cannot keep them. */
function reportUniqueKeys({ draft, datasets }: OssieScope): void {
  for (const { entity, primaryKey, uniqueKeys } of datasets.values()) {
    const { losses, span, subject } = entryOf(draft.origins, entity);
    for (const { columns, isUsed } of uniqueKeys) {
      if (!isUsed && columns.join('\0') !== primaryKey.join('\0'))
        losses.drop(span, `the unique key ${columns.join(', ')} of ${subject}`, importMessages.nothingLike());
    }
  }
}

/** Moves entities into the domains that Quern's extension names. The other entities stay in the domain of the model. */
function splitDomain(extension: ForeignMap, layer: LayerDocument): void {
  const [modelDomain] = layer.domains;
  if (modelDomain === undefined) return;
  const entities = new Set(modelDomain.entities);
  const domains = new Map<string, DomainDocument>();
  for (const map of extension.maps('domains', `a domain of ${extension.subject}`)) {
    const domain = readDomain(map, modelDomain);
    const key = domain.name.toLowerCase();
    if (domains.has(key)) continue;
    domains.set(key, { ...domain, entities: domain.entities.filter((entity) => entities.delete(entity)) });
  }
  extension.finish();
  if (domains.size === 0) return;
  if (entities.size > 0) {
    const key = modelDomain.name.toLowerCase();
    const namesake = domains.get(key);
    if (namesake === undefined) domains.set(key, { ...modelDomain, entities: [...entities] });
    else namesake.entities.push(...entities);
  }
  layer.domains.splice(0, layer.domains.length, ...domains.values());
}

/** Reads a domain of Quern's extension, with the entities of the model's domain that it names. */
function readDomain(map: ForeignMap, modelDomain: DomainDocument): DomainDocument {
  const name = toName(map.text('name') ?? '', map.origin);
  const { label, x_synonyms } = toFieldKeys({ label: map.text('label'), synonyms: map.texts('x_synonyms') });
  const description = map.text('description');
  const names = map.texts('entities');
  map.finish();
  return {
    name,
    ...(label === undefined ? {} : { label }),
    ...(description === undefined ? {} : { description }),
    entities: names.flatMap((key) => modelDomain.entities.filter((entity) => entity.name === key)),
    ...(x_synonyms === undefined ? {} : { x_synonyms }),
  };
}
