import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import type { Aggregate } from '../../model/aggregate-functions.ts';
import type { Grain, Platform } from '../../model/model.ts';
import type { MeasureDocument } from '../../model/model-schema.ts';
import type { EntityDraft, ModelDraft } from '../draft/draft.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import type { PartLocation } from '../draft/losses.ts';

/** An entity of dbt: a key that joins semantic models. */
export interface DbtKey {
  readonly name: string;
  readonly type: 'primary' | 'unique' | 'foreign' | 'natural';
  readonly expr: string;
  readonly origin: PartLocation;
  /** Why it cannot be used for joins; null if it can. */
  readonly error: string | null;
}

/** A dimension, as filters refer to it. */
export interface DbtDimension {
  readonly expr: string;
  /** The SQL of the column before truncation. */
  readonly column: string;
  /** The grain of a time dimension that is truncated to days or longer units. */
  readonly grain: Grain | null;
  readonly isTime: boolean;
}

/** A measure, or a simple metric with its own aggregation. */
export interface DbtMeasure {
  readonly model: DbtModel;
  readonly aggregate: Omit<Aggregate, 'filter'>;
  readonly type: MeasureDocument['data_type'];
}

/** A semantic model of dbt with its entity. */
export interface DbtModel {
  readonly name: string;
  readonly entity: EntityDraft;
  /** The prefix of its dimensions in filters. */
  readonly primaryEntity: string | undefined;
  readonly keys: readonly DbtKey[];
  readonly dimensions: ReadonlyMap<string, DbtDimension>;
  /** The dimensions that identify rows together with the keys, by name; null for one that was left out. */
  readonly partitions: ReadonlyMap<string, DbtDimension | null>;
}

/** A semantic model that was left out; joins of other models could go through it. */
export interface LostDbtModel {
  readonly name: string;
  readonly keys: readonly DbtKey[];
}

/** A named measure that metrics can use, or the reason why it cannot be used. */
export interface NamedMeasure {
  readonly map: ForeignMap;
  readonly name: string;
  readonly measure: DbtMeasure | string;
  /** Whether it is also a metric. */
  readonly isMetric: boolean;
  isUsed: boolean;
}

/** The state of an import of a dbt project. */
export interface DbtScope {
  readonly draft: ModelDraft;
  readonly platform: Platform;
  readonly lexicalRules: LexicalRules;
  readonly models: DbtModel[];
  readonly lostModels: LostDbtModel[];
  readonly measures: Map<string, NamedMeasure>;
  /** The metrics by name, with the model that defines them. */
  readonly metrics: Map<string, { readonly map: ForeignMap; readonly model: DbtModel | null }>;
}
