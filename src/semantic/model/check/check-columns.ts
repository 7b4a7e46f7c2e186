import { DIALECTS } from '../../sql/dialects.ts';
import type { Platform } from '../model.ts';
import { modelMessages } from '../model-messages.ts';
import type { EntityDocument, MeasureDocument } from '../model-schema.ts';
import type { Findings } from '../read/findings.ts';
import type { FilePart } from '../read/merge-files.ts';
import type { Loose } from '../read/read-document.ts';
import { findQualifiedColumns, type QualifiedColumn, scanExpression } from '../scan-expression.ts';

/** An entity of a model with its location. */
export interface PlacedEntity extends FilePart<EntityDocument> {
  readonly name: string;
  readonly platform: Platform | undefined;
}

/** The entities of a model by lower-case name. */
type Entities = ReadonlyMap<string, PlacedEntity>;
type Reader = 'dimension' | 'measure' | 'filter' | 'key';

/** Finds fields and joins that read columns of another entity. */
export function checkColumns(entities: readonly PlacedEntity[], findings: Findings): void {
  const byName = new Map(entities.map((entity) => [entity.name.toLowerCase(), entity]));
  for (const entity of entities) {
    for (const { owner, key, text, reader } of listTexts(entity)) {
      const foreign = findForeign(text, entity, byName);
      if (foreign === null) continue;
      const message = describe(foreign, entity, reader);
      findings.refuse({ file: entity.file, document: owner }, key, message);
    }
  }
}

interface PlacedText {
  readonly owner: object;
  readonly key: string;
  readonly text: string;
  readonly reader: Reader;
}

function listTexts({ document }: PlacedEntity): readonly PlacedText[] {
  const { dimensions = [], measures = [], x_primary_key: keys = [] } = document;
  const text = (owner: object, key: string, value: string | undefined, reader: Reader) =>
    value?.includes('.') ? [{ owner, key, text: value, reader }] : [];
  return [
    ...keys.flatMap((column) => text(document, 'x_primary_key', column, 'key')),
    ...dimensions.flatMap((dimension) => text(dimension, 'expr', dimension.expr, 'dimension')),
    ...measures.flatMap((measure: Loose<MeasureDocument>) => [
      ...text(measure, 'expr', measure.expr, 'measure'),
      ...text(measure, 'x_filter', measure.x_filter, 'filter'),
    ]),
  ];
}

/** A column and its entity. */
interface Foreign {
  readonly column: QualifiedColumn;
  readonly other: PlacedEntity;
}

function findForeign(text: string, entity: PlacedEntity, byName: Entities): Foreign | null {
  const { lexicalRules } = DIALECTS[entity.platform ?? 'duckdb'];
  for (const column of findQualifiedColumns(scanExpression(text, lexicalRules))) {
    const other = findOwner(column.qualifier.toLowerCase(), entity, byName);
    if (other !== undefined && other !== entity) return { column, other };
  }
  return null;
}

/** The entity that a qualifier names, by its own name or by a relationship's name. */
function findOwner(name: string, entity: PlacedEntity, byName: Entities): PlacedEntity | undefined {
  if (name === entity.name.toLowerCase()) return undefined;
  const step = (entity.document.relationships ?? []).find((one) => one.name?.toLowerCase() === name);
  return byName.get(name) ?? byName.get(step?.to_entity?.toLowerCase() ?? '');
}

function describe({ column, other }: Foreign, entity: PlacedEntity, reader: Reader): string {
  const dimension = (other.document.dimensions ?? []).find(
    ({ name, expr }) => name !== undefined && expr?.trim().toLowerCase() === column.column.toLowerCase(),
  );
  const known = dimension === undefined ? null : `${other.name}.${dimension.name}`;
  return modelMessages.otherEntity[reader](column.written, entity.name, other.name, known);
}
