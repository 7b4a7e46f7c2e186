import { compileQuery } from '../../../src/semantic/compile/compile-query.ts';
import { createModelIndex, type ModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Compile } from './ask.ts';
import { toModel, type World } from './world.ts';

const known = new WeakMap<World, Map<string, ModelIndex>>();

/** The compiler; it indexes the model of each world once per platform. */
export const compileWorld: Compile = (world, { query, strict }, platform) => {
  const own = known.get(world) ?? new Map<string, ModelIndex>();
  known.set(world, own);
  const index = own.get(platform) ?? createModelIndex(toModel(world, platform));
  own.set(platform, index);
  return compileQuery(index, query, { dialect: platform, strict });
};
