import type { Model } from '../model.ts';
import type { ModelIndex } from './index-model.ts';

/** What a question is put to. */
export interface AskedModel {
  readonly model: Model;
  readonly index: ModelIndex;
}
