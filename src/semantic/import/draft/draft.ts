import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import { elementAt } from '../../../invariants/must.ts';
import type { DataType, JoinType, MeasureType, Platform } from '../../model/model.ts';
import type {
  DimensionDocument,
  EntityDocument,
  LayerDocument,
  MeasureDocument,
  RelationshipDocument,
} from '../../model/model-schema.ts';
import { scanExpression } from '../../model/scan-expression.ts';
import { importMessages } from './errors.ts';
import type { FileLosses, PartLocation } from './losses.ts';
import type { Foreign } from './read-foreign.ts';

/** A join of the other tool that could not be imported. */
export interface LostJoin {
  /** The entity, or the name of an entity that was left out. */
  readonly from: EntityDocument | string;
  readonly to: EntityDocument | string;
  /** Null if it is unknown. */
  readonly joinType: JoinType | null;
  /** The reason why it was left out. */
  readonly reason: string;
}

/** A model during an import, with the source of each part. */
export interface ModelDraft {
  readonly layers: LayerDocument[];
  readonly lostJoins: LostJoin[];
  readonly origins: WeakMap<object, PartLocation>;
  /** SQL that returns dates or DATETIME values, by entity: its minimum is not a number. */
  readonly moments: WeakMap<object, Set<string>>;
}

/** A file of a model in another format. */
export interface ForeignFile {
  readonly root: Foreign;
  readonly losses: FileLosses;
}

/** Options for readers besides the files. */
export interface ReadOptions {
  /** Undefined for the platform that the files name, or DuckDB. */
  readonly platform: Platform | undefined;
}

/** An entity during an import. */
export type EntityDraft = EntityDocument & {
  readonly dimensions: DimensionDocument[];
  readonly measures: MeasureDocument[];
  readonly relationships: RelationshipDocument[];
};

const NAME = /^(?!\s)[^.\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,255}(?<!\s)$/u;

export function createDraft(): ModelDraft {
  return { layers: [], lostJoins: [], origins: new WeakMap(), moments: new WeakMap() };
}

/** Records that SQL returns dates or DATETIME values. */
export function addMoment({ moments }: ModelDraft, entity: EntityDraft, sql: string): void {
  const known = moments.get(entity);
  if (known === undefined) moments.set(entity, new Set([sql.trim()]));
  else known.add(sql.trim());
}

/** A valid name; if the given name is not valid, a replacement, which is reported. */
export function toName(name: string, { losses, span, subject }: PartLocation): string {
  if (NAME.test(name)) return name;
  const cleaned = name
    .replaceAll(/[.\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '_')
    .trim()
    .slice(0, 255);
  const made = NAME.test(cleaned) ? cleaned : 'unnamed';
  losses.approximate(span, subject, importMessages.renamed(made));
  return made;
}

/** Creates an entity and adds it to the only domain of a layer. */
export function addEntity(
  draft: ModelDraft,
  layer: LayerDocument,
  entity: Omit<EntityDocument, 'dimensions' | 'measures' | 'relationships'>,
  origin: PartLocation,
): EntityDraft {
  const made: EntityDraft = { ...entity, dimensions: [], measures: [], relationships: [] };
  elementAt(layer.domains, 0).entities.push(made);
  draft.origins.set(made, origin);
  return made;
}

/** The properties that fields have in every format. */
interface FieldTexts {
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly synonyms?: readonly string[] | undefined;
}

/** The keys that have a value; empty keys are left out. */
export function toFieldKeys({ label, description, hidden, synonyms = [] }: FieldTexts) {
  return {
    ...(label === undefined ? {} : { label }),
    ...(hidden === true ? { hidden } : {}),
    ...(description === undefined ? {} : { x_description: description }),
    ...(synonyms.length === 0 ? {} : { x_synonyms: [...synonyms] }),
  };
}

/** Why SQL cannot be part of a statement; null if it can. */
export function findSqlError(text: string, lexicalRules: LexicalRules): string | null {
  return text.trim() === '' ? importMessages.noExpression() : scanExpression(text, lexicalRules).error;
}

/** The type of a measure, if it is known. */
export function toMeasureType(
  aggregation: MeasureDocument['aggregation_type'],
  type?: DataType | undefined,
): MeasureType {
  if (type === 'INTEGER' || type === 'FLOAT' || type === 'DECIMAL') return type;
  return aggregation === 'COUNT' || aggregation === 'COUNT_DISTINCT' ? 'INTEGER' : 'NUMBER';
}
