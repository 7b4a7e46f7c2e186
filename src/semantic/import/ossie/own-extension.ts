import { VENDOR } from '../../export/ossie-terms.ts';
import { AGGREGATION_TYPES, JOIN_TYPES, MEASURE_TYPES } from '../../model/model.ts';
import type { MeasureDocument, RelationshipDocument, UnreachableDocument } from '../../model/model-schema.ts';
import { toFieldKeys } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import { ForeignMap } from '../draft/foreign-map.ts';
import type { FileLosses } from '../draft/losses.ts';
import { readForeign } from '../draft/read-foreign.ts';

/**
 * Reads Quern's extension of a part of an Ossie model; undefined without it. Other vendors' extensions are reported.
 */
export function takeExtension(owner: ForeignMap): ForeignMap | undefined {
  let ownExtension: ForeignMap | undefined;
  for (const extension of owner.maps('custom_extensions', `an extension of ${owner.subject}`)) {
    const vendor = extension.text('vendor_name') ?? '';
    const data = extension.text('data');
    if (vendor.toUpperCase() !== VENDOR) extension.drop(importMessages.otherVendor(vendor));
    else if (data === undefined) extension.drop(importMessages.missing('data'));
    else ownExtension ??= readData(extension, data);
    extension.finish();
  }
  return ownExtension;
}

function readData(extension: ForeignMap, data: string): ForeignMap | undefined {
  const { losses, subject } = extension;
  const span = extension.place('data');
  const { roots, errors } = readForeign({ name: losses.source.name, text: data });
  const [root, other] = roots;
  if (root?.kind !== 'map' || other !== undefined || errors.length > 0)
    return extension.drop(importMessages.stale());
  // Locations in embedded data have no position in the file.
  const here: FileLosses = {
    source: losses.source,
    drop: (_, what, why) => losses.drop(span, what, why),
    approximate: (_, what, why) => losses.approximate(span, what, why),
  };
  return new ForeignMap(root, subject, here);
}

/** Reads one of the given words; undefined for any other value. */
export function readWord<T extends string>(map: ForeignMap, key: string, words: readonly T[]): T | undefined {
  const text = map.text(key);
  return words.find((word) => word === text);
}

/** Reads a measure from Quern's extension; undefined if its form is wrong. */
export function readOwnMeasure(map: ForeignMap): MeasureDocument | undefined {
  const name = map.text('name');
  const expr = map.text('expr');
  const data_type = readWord(map, 'data_type', MEASURE_TYPES);
  const aggregation_type = readWord(map, 'aggregation_type', AGGREGATION_TYPES);
  const x_filter = map.text('x_filter');
  const keys = readOwnKeys(map);
  if (!isText(name) || !isText(expr) || !data_type || !aggregation_type) return undefined;
  const { label, ...more } = keys;
  return {
    name,
    ...(label === undefined ? {} : { label }),
    data_type,
    expr,
    aggregation_type,
    ...(isText(x_filter) ? { x_filter } : {}),
    ...more,
  };
}

/** Reads a relationship from Quern's extension; undefined if its form is wrong. */
export function readOwnRelationship(map: ForeignMap): RelationshipDocument | undefined {
  const name = map.text('name');
  const to_entity = map.text('to_entity');
  const expr = map.text('expr');
  const join_type = readWord(map, 'join_type', JOIN_TYPES);
  if (!isText(name) || !isText(to_entity) || !isText(expr) || !join_type) return undefined;
  return { name, join_type, to_entity, expr };
}

/** Reads an entity that a relationship without SQL leads to, from Quern's extension; undefined if its form is wrong. */
export function readOwnUnreachable(map: ForeignMap): UnreachableDocument | undefined {
  const to_entity = map.text('to_entity');
  const join_type = readWord(map, 'join_type', JOIN_TYPES);
  const reason = map.text('reason');
  map.finish();
  if (!isText(to_entity) || !isText(reason)) return map.drop(importMessages.stale());
  return { to_entity, ...(join_type === undefined ? {} : { join_type }), reason };
}

/** Reads the label, `hidden` and the synonyms of a part. */
export function readOwnKeys(map: ForeignMap) {
  return toFieldKeys({
    label: map.text('label'),
    description: map.text('x_description'),
    hidden: map.flag('hidden'),
    synonyms: map.texts('x_synonyms'),
  });
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
