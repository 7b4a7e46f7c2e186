import { findPosition, getLineMap } from '../../../engine/text/line-map.ts';
import { checkModel } from '../../model/check/check-model.ts';
import type { DomainDocument, EntityDocument, LayerDocument } from '../../model/model-schema.ts';
import { checkEntities, type Refuse } from '../../model/read/check-entity.ts';
import type { Findings } from '../../model/read/findings.ts';
import type { MergedLayer } from '../../model/read/merge-files.ts';
import { type ModelFileReading, readModelFile } from '../../model/read/read-model-file.ts';
import type { ModelDraft } from './draft.ts';
import { importMessages } from './errors.ts';

/** Keys whose removal does not change their owner's meaning, or only slightly. */
const OPTIONAL_KEYS: readonly string[] = ['x_grains', 'x_case_sensitive', 'x_primary_key', 'x_timezone'];

interface DraftError {
  readonly owner: object;
  readonly key: string | undefined;
  readonly message: string;
}

/** Removes and reports the parts of a draft that would make the model invalid, so that the result is valid. */
export function settleDraft(draft: ModelDraft): void {
  for (;;) {
    const errors = findErrors(draft);
    if (errors.length === 0) return;
    const done = new Set<object>();
    for (const error of errors) {
      if (done.has(error.owner)) continue;
      done.add(error.owner);
      removePart(draft, error);
    }
  }
}

function findErrors(draft: ModelDraft): readonly DraftError[] {
  const { layers, origins } = draft;
  const errors: DraftError[] = [];
  const refuse = (owner: object, key: string | undefined, message: string) =>
    void errors.push({ owner, key, message });
  const printPlace = (owner: object) => {
    const origin = origins.get(owner);
    if (origin === undefined) return 'before it';
    const { source } = origin.losses;
    return `in ${source.name}:${findPosition(getLineMap(source), origin.span.start).line}`;
  };
  checkEntities({ version: '1.0', layers }, refuse, printPlace);
  const findings: Findings = {
    diagnostics: [],
    refuse: ({ document }, key, message) => refuse(document, key, message),
    warn: () => {},
    printPlace: ({ document }) => printPlace(document),
  };
  checkModel(layers.map(toMerged), findings);
  checkMoments(draft, refuse);
  return errors;
}

/** A measure is a number, but the minimum or maximum of dates is not. */
function checkMoments({ layers, moments }: ModelDraft, refuse: Refuse): void {
  for (const entity of layers.flatMap(({ domains }) => domains.flatMap((domain) => domain.entities))) {
    const known = moments.get(entity);
    for (const measure of entity.measures ?? []) {
      const isChoice = measure.aggregation_type === 'MIN' || measure.aggregation_type === 'MAX';
      if (!isChoice || !known?.has(measure.expr.trim())) continue;
      refuse(measure, 'expr', importMessages.noMeasureType('a date'));
    }
  }
}

/** One file that stands for all: diagnostics are located by their subject. */
const NO_FILE: ModelFileReading = readModelFile({ name: '', text: '' });

function toMerged(layer: LayerDocument): MergedLayer {
  const domains = layer.domains.map((domain) => ({
    name: domain.name,
    parts: [{ file: NO_FILE, document: domain }],
    entities: domain.entities.map((document) => ({ file: NO_FILE, document })),
  }));
  return { name: layer.name, parts: [{ file: NO_FILE, document: layer }], domains };
}

function removePart(draft: ModelDraft, { owner, key, message }: DraftError): void {
  const { layers, origins } = draft;
  const origin = origins.get(owner);
  const isOptional = key !== undefined && OPTIONAL_KEYS.includes(key) && Object.hasOwn(owner, key);
  const subject = origin?.subject ?? 'the model';
  origin?.losses.drop(origin.span, isOptional ? `\`${key.slice(2)}\` of ${subject}` : subject, message);
  if (isOptional) {
    delete (owner as Record<string, unknown>)[key];
    return;
  }
  noteLostJoins(draft, owner, `${subject}: ${message}`);
  for (const layer of layers) for (const domain of layer.domains) removeFrom(domain, owner);
}

/** Records the joins of a removed relationship or entity. */
function noteLostJoins({ layers, lostJoins }: ModelDraft, owner: object, reason: string): void {
  const entities = layers.flatMap(({ domains }) => domains.flatMap((domain) => domain.entities));
  for (const entity of entities) {
    for (const relationship of entity.relationships ?? []) {
      const { to_entity: to, join_type: joinType } = relationship;
      if (owner !== relationship && owner !== entity) continue;
      const target = entities.find(({ name }) => name === to) ?? to;
      lostJoins.push({ from: entity, to: target, joinType, reason });
    }
  }
}

function removeFrom(domain: DomainDocument, owner: object): void {
  removeItem(domain.entities, owner);
  for (const entity of domain.entities) removeFromEntity(entity, owner);
}

function removeFromEntity({ dimensions, measures, relationships }: EntityDocument, owner: object): void {
  for (const items of [dimensions, measures, relationships]) removeItem(items ?? [], owner);
}

function removeItem(items: object[], owner: object): void {
  const at = items.indexOf(owner);
  if (at !== -1) items.splice(at, 1);
}
