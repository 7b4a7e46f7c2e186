import { present } from '../../../invariants/must.ts';
import { QUERY } from '../../export/ossie-terms.ts';
import type { DataType } from '../../model/model.ts';
import { DATA_TYPES, GRAINS } from '../../model/model.ts';
import type { DimensionDocument, LayerDocument } from '../../model/model-schema.ts';
import { addEntity, addMoment, type EntityDraft, findSqlError, toFieldKeys, toName } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import { listForeignTokens, readName, toColumn } from '../draft/foreign-sql.ts';
import {
  type OssieScope,
  type OwnPart,
  type OwnParts,
  takeExpression,
  takeSynonyms,
  type UniqueKey,
} from './ossie-scope.ts';
import {
  readOwnKeys,
  readOwnMeasure,
  readOwnRelationship,
  readOwnUnreachable,
  readWord,
  takeExtension,
} from './own-extension.ts';

/** Reads a dataset of Ossie into an entity of the layer. */
export function readOssieDataset(map: ForeignMap, layer: LayerDocument, scope: OssieScope): undefined {
  const originalName = map.text('name');
  if (originalName === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the dataset ${originalName}`;
  if (scope.datasets.has(originalName.toLowerCase())) return map.drop(importMessages.otherName(originalName));
  const source = map.text('source');
  const error =
    source === undefined ? importMessages.missing('source') : findSqlError(source, scope.lexicalRules);
  if (error !== null) return map.drop(error, map.place('source'));
  const extension = takeExtension(map);
  const description = map.text('description');
  const { label, x_synonyms } = toFieldKeys({
    label: extension?.text('label'),
    synonyms: takeSynonyms(map),
  });
  const primaryKey = map.texts('primary_key');
  const ownKey = extension?.texts('x_primary_key') ?? [];
  const key = ownKey.length > 0 ? ownKey : primaryKey.map((name) => toColumn(name, scope.lexicalRules));
  const unreachable = extension?.maps('x_unreachable', `an unreachable entity of ${extension.subject}`) ?? [];
  const x_unreachable = unreachable.flatMap((entry) => readOwnUnreachable(entry) ?? []);
  const uniqueKeys = readUniqueKeys(map);
  const entity = addEntity(
    scope.draft,
    layer,
    {
      name: toName(originalName, map.origin),
      ...(label === undefined ? {} : { label }),
      ...(description === undefined ? {} : { description }),
      ...toSource(present(source), extension?.text('source')),
      ...(key.length === 0 ? {} : { x_primary_key: [...key] }),
      ...(x_unreachable.length === 0 ? {} : { x_unreachable }),
      ...(x_synonyms === undefined ? {} : { x_synonyms }),
    },
    map.origin,
  );
  const fields = readFields(map, entity, scope);
  const extensionParts =
    extension === undefined ? { measures: [], relationships: [] } : readOwnParts(extension);
  scope.datasets.set(originalName.toLowerCase(), { entity, fields, primaryKey, uniqueKeys, extensionParts });
  map.finish();
}

function toSource(source: string, kind: string | undefined) {
  const isQuery = kind === undefined ? QUERY.test(source) : kind === 'query';
  return isQuery ? { query: source } : { table_name: source };
}

function readUniqueKeys(map: ForeignMap): readonly UniqueKey[] {
  return map.list('unique_keys').flatMap((item) => {
    if (item.kind !== 'list') return map.refuse('unique_keys', importMessages.notList()) ?? [];
    return [
      {
        columns: item.items.flatMap((column) => (column.kind === 'scalar' ? [column.text] : [])),
        isUsed: false,
      },
    ];
  });
}

/** The parts of an entity in Quern's extension, which Ossie cannot express. */
function readOwnParts(extension: ForeignMap): OwnParts {
  const measures = extension.maps('measures', `a measure of ${extension.subject}`);
  const relationships = extension.maps('relationships', `a relationship of ${extension.subject}`);
  extension.finish();
  return {
    measures: measures.flatMap((part) => readOwnPart(part, readOwnMeasure)),
    relationships: relationships.flatMap((part) => readOwnPart(part, readOwnRelationship)),
  };
}

function readOwnPart<T extends { name: string }>(
  map: ForeignMap,
  read: (map: ForeignMap) => T | undefined,
): readonly OwnPart<T>[] {
  const at = map.number('at') ?? 0;
  const document = read(map);
  map.finish();
  if (document === undefined) return map.drop(importMessages.stale()) ?? [];
  return [{ document: { ...document, name: toName(document.name, map.origin) }, at, origin: map.origin }];
}

/** A field with its expression. */
interface Field {
  readonly map: ForeignMap;
  readonly originalName: string;
  readonly expr: string;
  readonly extension: ForeignMap | undefined;
}

function readFields(map: ForeignMap, entity: EntityDraft, scope: OssieScope): ReadonlyMap<string, string> {
  const fields = map.maps('fields', `a field of ${map.subject}`).flatMap((field): readonly Field[] => {
    const originalName = field.text('name');
    if (originalName === undefined) return field.drop(importMessages.missing('name')) ?? [];
    field.subject = `the field ${entity.name}.${originalName}`;
    const expr = takeExpression(field, scope);
    if (expr === undefined) return [];
    return [{ map: field, originalName, expr, extension: takeExtension(field) }];
  });
  const expressions = new Map(fields.map(({ originalName, expr }) => [originalName.toLowerCase(), expr]));
  for (const field of fields) {
    // Quern's extension is valid only for the expression that it was written for.
    const isOwn = field.extension?.text('expr') === field.expr;
    const unclear = isOwn ? undefined : findUnclear(field, expressions, scope);
    if (unclear !== undefined) {
      field.map.drop(importMessages.columnOrField(unclear));
      continue;
    }
    const dimension = readField(field, toName(field.originalName, field.map.origin));
    if (dimension === undefined) continue;
    entity.dimensions.push(dimension);
    if (/^DATE/.test(dimension.data_type)) addMoment(scope.draft, entity, dimension.expr);
    scope.draft.origins.set(dimension, field.map.origin);
  }
  return expressions;
}

/** Finds a name in the expression of a field that could be a column or another field with a different expression. */
function findUnclear(
  { originalName, expr }: Field,
  fields: ReadonlyMap<string, string>,
  { lexicalRules }: OssieScope,
): string | undefined {
  const names = listForeignTokens(expr, lexicalRules).flatMap((word) => readName(word) ?? []);
  return names.find((name) => {
    const key = name.toLowerCase();
    const other = fields.get(key);
    return key !== originalName.toLowerCase() && other !== undefined && other.trim().toLowerCase() !== key;
  });
}

function readField({ map: field, expr, extension }: Field, name: string): DimensionDocument | undefined {
  const data_type = readType(field, extension);
  if (data_type === undefined) return undefined;
  const label = field.text('label');
  const description = field.text('description');
  const synonyms = takeSynonyms(field);
  field.finish();
  const { hidden } = extension === undefined ? {} : readOwnKeys(extension);
  const grains = (extension?.texts('x_grains') ?? []).flatMap((grain) =>
    GRAINS.filter((known) => known === grain),
  );
  const isCaseSensitive = extension?.flag('x_case_sensitive') === true;
  extension?.finish();
  const keys = toFieldKeys({ label, description, hidden, synonyms });
  return {
    name,
    ...(label === undefined ? {} : { label }),
    data_type,
    expr,
    ...(grains.length === 0 ? {} : { x_grains: grains }),
    ...(isCaseSensitive ? { x_case_sensitive: true } : {}),
    ...keys,
  };
}

/** Types by lower-case name, including those of drafts before 0.2.0. */
const TYPES: Readonly<Record<string, DataType>> = {
  string: 'TEXT',
  integer: 'INTEGER',
  number: 'NUMBER',
  decimal: 'DECIMAL',
  float: 'FLOAT',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'DATETIME',
  datetimetz: 'DATETIME',
  timestamp: 'DATETIME',
  timestamp_tz: 'DATETIME',
};
const OTHER_TYPES: readonly string[] = ['time', 'opaque', 'other'];

/** Reads the type of a field; undefined if the field is left out because of it. */
function readType(field: ForeignMap, extension: ForeignMap | undefined): DataType | undefined {
  const role = field.map('dimension', `\`dimension\` of ${field.subject}`);
  const isTime = role?.flag('is_time') === true;
  role?.finish();
  const datatype = field.text('datatype');
  const modelType = extension === undefined ? undefined : readWord(extension, 'data_type', DATA_TYPES);
  if (datatype === undefined) {
    if (modelType !== undefined) return modelType;
    field.approximate(isTime ? importMessages.assumedMoment() : importMessages.assumedText());
    return isTime ? 'DATETIME' : 'TEXT';
  }
  const known = Object.hasOwn(TYPES, datatype.toLowerCase()) ? TYPES[datatype.toLowerCase()] : undefined;
  if (known === undefined) {
    const isOther = OTHER_TYPES.includes(datatype.toLowerCase());
    return field.drop(
      isOther ? importMessages.noType(datatype) : importMessages.unknownType(datatype),
      field.place('datatype'),
    );
  }
  if (/tz$/i.test(datatype)) field.approximate(importMessages.withZone(), field.place('datatype'));
  return known;
}
