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
import { importFaults } from './errors.ts';
import type { FileLosses, Origin } from './losses.ts';
import type { Foreign } from './read-foreign.ts';

/** A join of the other tool that could not be carried over. */
export interface LostJoin {
  /** The name of an entity that was left out, too. */
  readonly from: EntityDocument | string;
  readonly to: EntityDocument | string;
  /** Null where it is not known. */
  readonly joinType: JoinType | null;
  /** What it is, and why it was left out. */
  readonly reason: string;
}

/** A model that is being put together, and where its parts were read. */
export interface Draft {
  readonly layers: LayerDocument[];
  readonly lostJoins: LostJoin[];
  readonly origins: WeakMap<object, Origin>;
  /** SQL that is known to give dates or moments, by entities: the least of them is no number. */
  readonly moments: WeakMap<object, Set<string>>;
}

/** A file of a model in another format. */
export interface ForeignFile {
  readonly root: Foreign;
  readonly losses: FileLosses;
}

/** What a reader of a format knows beside the files. */
export interface ReadOptions {
  /** Undefined for what the files say, or DuckDB. */
  readonly platform: Platform | undefined;
}

/** An entity that is being put together. */
export type EntityDraft = EntityDocument & {
  readonly dimensions: DimensionDocument[];
  readonly measures: MeasureDocument[];
  readonly relationships: RelationshipDocument[];
};

const NAME = /^(?!\s)[^.\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,255}(?<!\s)$/u;

export function createDraft(): Draft {
  return { layers: [], lostJoins: [], origins: new WeakMap(), moments: new WeakMap() };
}

/** Takes down that SQL gives dates or moments. */
export function addMoment({ moments }: Draft, entity: EntityDraft, sql: string): void {
  const known = moments.get(entity);
  if (known === undefined) moments.set(entity, new Set([sql.trim()]));
  else known.add(sql.trim());
}

/** A name that may be one here; another one where it may not, which is told. */
export function toName(name: string, { losses, span, subject }: Origin): string {
  if (NAME.test(name)) return name;
  const cleaned = name
    .replaceAll(/[.\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '_')
    .trim()
    .slice(0, 255);
  const made = NAME.test(cleaned) ? cleaned : 'unnamed';
  losses.approximate(span, subject, importFaults.renamed(made));
  return made;
}

/** Makes an entity and adds it to a layer's only domain. */
export function addEntity(
  draft: Draft,
  layer: LayerDocument,
  entity: Omit<EntityDocument, 'dimensions' | 'measures' | 'relationships'>,
  origin: Origin,
): EntityDraft {
  const made: EntityDraft = { ...entity, dimensions: [], measures: [], relationships: [] };
  elementAt(layer.domains, 0).entities.push(made);
  draft.origins.set(made, origin);
  return made;
}

/** What every field of a format may say about its field here. */
interface FieldTexts {
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly synonyms?: readonly string[] | undefined;
}

/** Keys that say something: the others would stand there for nothing. */
export function toFieldKeys({ label, description, hidden, synonyms = [] }: FieldTexts) {
  return {
    ...(label === undefined ? {} : { label }),
    ...(hidden === true ? { hidden } : {}),
    ...(description === undefined ? {} : { x_description: description }),
    ...(synonyms.length === 0 ? {} : { x_synonyms: [...synonyms] }),
  };
}

/** What keeps SQL from being a part of a statement; null for nothing. */
export function findSqlFault(text: string, lexicalRules: LexicalRules): string | null {
  return text.trim() === '' ? importFaults.noExpression() : scanExpression(text, lexicalRules).fault;
}

/** The type of a measure, as far as it is known. */
export function toMeasureType(
  aggregation: MeasureDocument['aggregation_type'],
  given?: DataType | undefined,
): MeasureType {
  if (given === 'INTEGER' || given === 'FLOAT' || given === 'DECIMAL') return given;
  return aggregation === 'COUNT' || aggregation === 'COUNT_DISTINCT' ? 'INTEGER' : 'NUMBER';
}
