import path from 'node:path';
import type { StoredText, TextTree } from '../../catalog/list-texts.ts';
import type { CatalogService } from '../../catalog/service.ts';
import { connectionErrors } from '../../connections/errors.ts';
import type { SemanticConnection } from '../../connections/resolve-semantic.ts';
import type { ConnectionService } from '../../connections/service.ts';
import { parseManifest } from '../../engine/project/manifest.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import {
  chooseModel,
  findModelProject,
  isModelFile,
  listModelFiles,
  MAX_FILES,
  type ModelFile,
  NoModelError,
} from '../../semantic/model/load/list-model-files.ts';
import { modelMessages } from '../../semantic/model/model-messages.ts';
import { runErrors } from '../api/errors.ts';
import type { DiskTarget } from '../api/semantic-api.ts';
import { chooseConnection, DEFAULT_CONNECTION } from '../runs/collect-work.ts';
import { findDiskModel } from './find-disk-model.ts';
import type { FindSource, LayerPlatforms, ModelRunner } from './semantic.ts';

/** The services with connections and their models. */
interface Services {
  readonly catalog: CatalogService;
  readonly connections: ConnectionService;
}

/**
 * Finds models on disk, and models of connections that a principal may use; such a principal may read the model, too
 * (docs/reference/semantic.md#semantic-connections). `findDefault` returns the name of the default connection, if there
 * is one.
 */
export function createModelFinder(
  { catalog, connections }: Services,
  findDefault: () => string | undefined,
): FindSource {
  return (principal, target) => {
    if (target.kind === 'disk') {
      return findDiskModel(target, (model) => findDiskRunner(connections, principal, target, model));
    }
    const connection =
      target.name === undefined
        ? resolveDefault(connections, principal, findDefault())
        : connections.resolveSemantic(principal, target.name);
    const { name, physical } = connection;
    return {
      id: JSON.stringify([connection.model, connection.key ?? '']),
      isStored: connection.isStored,
      listFiles: () => listFiles(catalog, connection),
      checkModel: (model) => checkPlatform(model, `Connection ${name}`, physical),
      strict: connection.strict,
      connection: physical === null ? null : name,
      findRunner: () => {
        if (physical === null) throw connectionErrors.onlyCompiles(name);
        return { connection: name, database: physical.name, overrides: {} };
      },
    };
  };
}

/** Resolves the default connection by its name; errors say that it is the default. */
function resolveDefault(
  connections: ConnectionService,
  principal: Principal,
  name: string | undefined,
): SemanticConnection {
  try {
    return connections.resolveSemantic(principal, name);
  } catch (error) {
    if (name === undefined || !(error instanceof ServiceError) || error.status !== 400) throw error;
    throw runErrors.defaultConnection(error, name);
  }
}

function listFiles(
  catalog: CatalogService,
  { model, isStored, key }: SemanticConnection,
): readonly ModelFile[] {
  try {
    if (isStored) return listCatalogModelFiles(catalog, model, key);
    return listModelFiles({ path: model, cwd: path.dirname(model), key });
  } catch (error) {
    if (error instanceof NoModelError) throw connectionErrors.noModelFiles(error.message);
    if (error instanceof ServiceError && error.status === 404)
      throw connectionErrors.noModelFiles(error.detail);
    throw error;
  }
}

/** A model on disk uses the connection of its project's scripts, or that of the model's environment. */
function findDiskRunner(
  connections: ConnectionService,
  principal: Principal,
  target: DiskTarget,
  model: LayerPlatforms,
): ModelRunner {
  const manifest = findModelProject(target);
  const environment =
    manifest === null ? undefined : chooseModel(manifest, target.key, target.path).environment;
  const { name, overrides } = chooseConnection(
    { environment, overrides: {} },
    () => manifest,
    () => DEFAULT_CONNECTION,
  );
  const { kind } = connections.get(principal, name);
  checkPlatform(model, target.path, { name, kind });
  return { connection: name, database: name, overrides };
}

/** Checks that the platform of the SQL is that of the connection (docs/reference/semantic.md#semantic-connections). */
function checkPlatform(
  { layers }: LayerPlatforms,
  subject: string,
  physical: { readonly name: string; readonly kind: string | null } | null,
): void {
  if (physical === null || physical.kind === null) return;
  const { name, kind } = physical;
  const other = layers.find(({ platform }) => platform !== kind);
  if (other !== undefined) throw runErrors.otherPlatform(subject, other, { name, kind });
}

/**
 * The files of a model in the catalog, without a permission check: an asset, all files below a folder, or those of a
 * project's `[semantic.<key>]` (docs/reference/semantic-model.md#several-files). Throws a NoModelError without model
 * files, a ServiceError for a missing path, and a DiagnosticError for an invalid manifest.
 */
function listCatalogModelFiles(
  catalog: CatalogService,
  path: string,
  key: string | undefined,
): readonly ModelFile[] {
  const tree = catalog.listTexts(path);
  if (!tree.isFolder) return tree.texts.map(toModelFile);
  const folder = findModelFolder(tree, key);
  const texts = tree.texts.filter((text) => text.path.startsWith(`${folder}/`) && isModelFile(text.name));
  if (texts.length > MAX_FILES) throw new NoModelError(modelMessages.tooMany('files', MAX_FILES));
  if (texts.length === 0) throw new NoModelError(modelMessages.noFiles(folder));
  return texts.map(toModelFile);
}

function findModelFolder({ path, texts }: TextTree, key: string | undefined): string {
  const name = `${path}/project.toml`;
  const text = texts.find((entry) => entry.path === name)?.read();
  const manifest = text === undefined ? null : parseManifest({ name, text });
  if (manifest !== null && manifest.semantic.byKey.size > 0) {
    return `${path}/${chooseModel(manifest, key, path).path}`;
  }
  if (key !== undefined) throw new NoModelError(modelMessages.noModels(path));
  return path;
}

function toModelFile({ id, path, revision, read }: StoredText): ModelFile {
  return { name: path, id, revision, read: () => ({ source: { name: path, text: read() } }) };
}
