import path from 'node:path';
import type { CatalogService } from '../../catalog/service.ts';
import { connectionErrors } from '../../connections/errors.ts';
import type { SemanticConnection } from '../../connections/resolve-semantic.ts';
import type { ConnectionService } from '../../connections/service.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Principal } from '../../identity/principal.ts';
import { NoModelError } from '../../semantic/choose-model.ts';
import { listModelFiles } from '../../semantic/list-model-files.ts';
import type { Model } from '../../semantic/model.ts';
import type { ModelFile } from '../../semantic/model-file.ts';
import { runErrors } from '../errors.ts';
import { listCatalogModelFiles } from './catalog-model-files.ts';
import type { FindByConnection } from './semantic.ts';

/** Where connections and the models in front of them are. */
interface Services {
  readonly catalog: CatalogService;
  readonly connections: ConnectionService;
}

/** Finds models of connections that a principal may use, and whose files it may view. */
export function createModelFinder(
  { catalog, connections }: Services,
  principal: Principal,
): FindByConnection {
  return (name) => {
    const connection = connections.resolveSemantic(principal, name);
    return {
      id: JSON.stringify([connection.model, connection.key ?? '']),
      files: listFiles(catalog, principal, connection),
      checkModel: (model) => checkPlatform(model, connection),
      strict: connection.strict,
      connection: connection.physical?.name ?? null,
    };
  };
}

function listFiles(
  catalog: CatalogService,
  principal: Principal,
  { model, key }: SemanticConnection,
): readonly ModelFile[] {
  try {
    if (/^\/?@/.test(model)) return listCatalogModelFiles(catalog, principal, model, key);
    return listModelFiles({ path: model, cwd: path.dirname(model), key });
  } catch (error) {
    if (error instanceof NoModelError) throw connectionErrors.noModel(error.message);
    if (error instanceof ServiceError && error.status === 404) throw connectionErrors.noModel(error.detail);
    throw error;
  }
}

/** SQL is made for the platform that it runs on (semantic 1). */
function checkPlatform({ layers }: Model, { name, physical }: SemanticConnection): void {
  const other = physical && layers.find(({ platform }) => platform !== physical.kind);
  if (physical && other) throw runErrors.otherPlatform(name, other, physical);
}
