import { semanticErrors } from '../errors.ts';
import type { Model, Platform } from '../model/model.ts';
import type { SemanticQuery } from './query.ts';

/** The platform of the layer that a query uses. Throws a SemanticError `refused` for several platforms. */
export function findDialect({ layers }: Model, { dimensions, measures }: SemanticQuery): Platform {
  const all = [...new Set(layers.map(({ platform }) => platform))];
  const platforms =
    all.length < 2 ? all : all.filter((platform) => listNames(layers, platform).some(isAsked));
  function isAsked(name: string): boolean {
    return [...dimensions, ...measures].some(
      ({ entity }) => entity === name || entity.startsWith(`${name}.`),
    );
  }
  if (platforms.length > 1) throw semanticErrors.severalPlatforms(platforms);
  // The compiler reports entities that no layer has.
  return platforms[0] ?? all[0] ?? 'duckdb';
}

function listNames(layers: Model['layers'], platform: Platform): readonly string[] {
  const platformLayers = layers.filter((layer) => layer.platform === platform);
  return platformLayers.flatMap(({ domains }) =>
    domains.flatMap(({ entities }) => entities.map(({ name }) => name)),
  );
}
