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
  const given = map.text('name') ?? 'ossie';
  map.subject = `the semantic model ${given}`;
  const name = toName(given, map.origin);
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
  for (const each of map.maps('datasets', 'a dataset')) readOssieDataset(each, layer, scope);
  for (const each of map.maps('relationships', 'a relationship')) readOssieRelationship(each, scope);
  for (const each of map.maps('metrics', 'a metric')) readOssieMetric(each, scope);
  for (const dataset of scope.datasets.values()) addOwnParts(dataset, draft);
  tellUniqueKeys(scope);
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

function choosePlatform(
  map: ForeignMap,
  extension: ForeignMap | undefined,
  { platform: given }: ReadOptions,
): Platform {
  const written = extension?.text('platform');
  const own = PLATFORMS.find((platform) => platform === written);
  if (given !== undefined && own !== undefined && own !== given) {
    map.approximate(importMessages.otherPlatform(own, given));
  }
  return given ?? own ?? 'duckdb';
}

/** Moves the parts in Quern's extension of a dataset to their original place. */
function addOwnParts({ entity, own }: OssieDataset, { origins }: ModelDraft): void {
  for (const { document, at, origin } of own.measures) {
    entity.measures.splice(at, 0, document);
    origins.set(document, origin);
  }
  for (const { document, at, origin } of own.relationships) {
    entity.relationships.splice(at, 0, document);
    origins.set(document, origin);
  }
}

/** Reports unique keys that no one-to-one relationship needs, because the model cannot keep them. */
function tellUniqueKeys({ draft, datasets }: OssieScope): void {
  for (const { entity, primaryKey, uniqueKeys } of datasets.values()) {
    const { losses, span, subject } = entryOf(draft.origins, entity);
    for (const { columns, isUsed } of uniqueKeys) {
      if (!isUsed && columns.join('\0') !== primaryKey.join('\0'))
        losses.drop(span, `the unique key ${columns.join(', ')} of ${subject}`, importMessages.nothingLike());
    }
  }
}

/** Moves entities into the domains that Quern's extension names. */
function splitDomain(extension: ForeignMap, layer: LayerDocument): void {
  const [all] = layer.domains;
  if (all === undefined) return;
  const domains = extension.maps('domains', `a domain of ${extension.subject}`).flatMap((map) => {
    const name = toName(map.text('name') ?? '', map.origin);
    const { label, x_synonyms } = toFieldKeys({
      label: map.text('label'),
      synonyms: map.texts('x_synonyms'),
    });
    const description = map.text('description');
    const names = map.texts('entities');
    map.finish();
    const entities = names.flatMap((own) => all.entities.filter((entity) => entity.name === own));
    const domain: DomainDocument = {
      name,
      ...(label === undefined ? {} : { label }),
      ...(description === undefined ? {} : { description }),
      entities,
      ...(x_synonyms === undefined ? {} : { x_synonyms }),
    };
    return [domain];
  });
  extension.finish();
  if (domains.length === 0) return;
  const seen = new Set<object>();
  const names = new Set<string>();
  const kept = domains.flatMap((domain) => {
    const isNew = !names.has(domain.name.toLowerCase());
    names.add(domain.name.toLowerCase());
    const own = isNew ? domain.entities.filter((entity) => !seen.has(entity) && seen.add(entity)) : [];
    return isNew ? [{ ...domain, entities: own }] : [];
  });
  const rest = all.entities.filter((entity) => !seen.has(entity));
  if (rest.length > 0) {
    const same = kept.find(({ name }) => name.toLowerCase() === all.name.toLowerCase());
    if (same === undefined) kept.push({ ...all, entities: rest });
    else same.entities.push(...rest);
  }
  layer.domains.splice(0, layer.domains.length, ...kept);
}
