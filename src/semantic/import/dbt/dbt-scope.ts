import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import type { Grain, Platform } from '../../model/model.ts';
import type { MeasureDocument } from '../../model/model-schema.ts';
import type { Aggregate } from '../../model/print-aggregate.ts';
import type { Draft, EntityDraft } from '../draft/draft.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import type { Origin } from '../draft/losses.ts';

/** An entity of dbt: a key by which semantic models join. */
export interface DbtKey {
  readonly name: string;
  readonly type: 'primary' | 'unique' | 'foreign' | 'natural';
  readonly expr: string;
  readonly origin: Origin;
  /** Why no join can be made by it; null where one can. */
  readonly fault: string | null;
}

/** A dimension, as filters name it. */
export interface DbtDimension {
  readonly expr: string;
  /** What it is cut from. */
  readonly column: string;
  /** Of a time dimension that is cut to days or longer. */
  readonly grain: Grain | null;
  readonly isTime: boolean;
}

/** A measure, or a simple metric that has its own aggregation. */
export interface DbtMeasure {
  readonly model: DbtModel;
  readonly aggregate: Omit<Aggregate, 'filter'>;
  readonly type: MeasureDocument['data_type'];
}

/** A semantic model of dbt whose entity has been made. */
export interface DbtModel {
  readonly name: string;
  readonly entity: EntityDraft;
  /** By which filters name its dimensions. */
  readonly primaryEntity: string | undefined;
  readonly keys: readonly DbtKey[];
  readonly dimensions: ReadonlyMap<string, DbtDimension>;
  /** The dimensions that tell rows apart besides the keys, by their names; null for one that was left out. */
  readonly partitions: ReadonlyMap<string, DbtDimension | null>;
}

/** A semantic model that was left out; others may join over it. */
export interface LostDbtModel {
  readonly name: string;
  readonly keys: readonly DbtKey[];
}

/** A measure under its name, which metrics may use; what keeps it from being used is a sentence. */
export interface NamedMeasure {
  readonly map: ForeignMap;
  readonly name: string;
  readonly measure: DbtMeasure | string;
  /** Whether it is a metric, too. */
  readonly isMetric: boolean;
  isUsed: boolean;
}

/** A dbt project that is being read. */
export interface DbtScope {
  readonly draft: Draft;
  readonly platform: Platform;
  readonly lexicalRules: LexicalRules;
  readonly models: DbtModel[];
  readonly lostModels: LostDbtModel[];
  readonly measures: Map<string, NamedMeasure>;
  /** Metrics by their names, with the model in which they stand. */
  readonly metrics: Map<string, { readonly map: ForeignMap; readonly model: DbtModel | null }>;
}
