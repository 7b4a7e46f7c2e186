import { isFolder } from '../../catalog/asset.ts';
import type { CatalogService } from '../../catalog/service.ts';
import { parseManifest } from '../../engine/project/manifest.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Principal } from '../../identity/principal.ts';
import { chooseModel, NoModelError } from '../../semantic/choose-model.ts';
import { modelFaults } from '../../semantic/model-faults.ts';
import { isModelFile, MOST_FILES, type ModelFile } from '../../semantic/model-file.ts';

/** The catalog as somebody sees it. */
interface View {
  readonly catalog: CatalogService;
  readonly principal: Principal;
}

/**
 * The files of a model in the catalog that the principal may view: an asset, those of a folder and below, or those of a
 * project's `[semantic.<key>]` (semantic 1). Throws a NoModelError where there are none, a ServiceError for a path that
 * is not there, and a DiagnosticError for a manifest with faults.
 */
export function listCatalogModelFiles(
  catalog: CatalogService,
  principal: Principal,
  path: string,
  key: string | undefined,
): readonly ModelFile[] {
  const view = { catalog, principal };
  const { body } = catalog.get(principal, path);
  if (!isFolder(body.type)) return [readFile(view, body.path)];
  const folder = findModelFolder(view, body.path, key);
  const paths = listPaths(view, folder);
  if (paths.length > MOST_FILES) throw new NoModelError(modelFaults.tooMany('files', MOST_FILES));
  if (paths.length === 0) throw new NoModelError(modelFaults.noFiles(folder));
  return paths.map((file) => readFile(view, file));
}

function findModelFolder({ catalog, principal }: View, path: string, key: string | undefined): string {
  const name = `${path}/project.toml`;
  const text = findText(() => catalog.get(principal, name).body.data.content);
  const manifest = text === undefined ? null : parseManifest({ name, text });
  if (manifest !== null && manifest.semantic.byKey.size > 0) {
    return `${path}/${chooseModel(manifest, key, path)}`;
  }
  if (key !== undefined) throw new NoModelError(modelFaults.noModels(path));
  return path;
}

function findText(get: () => string | undefined): string | undefined {
  try {
    return get();
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

function listPaths(view: View, folder: string): readonly string[] {
  const { data } = view.catalog.list(view.principal, folder);
  return data.flatMap(({ name, path, type }) => {
    if (name.startsWith('.')) return [];
    if (isFolder(type)) return listPaths(view, path);
    return isModelFile(name) ? [path] : [];
  });
}

function readFile({ catalog, principal }: View, path: string): ModelFile {
  const { body, revision } = catalog.get(principal, path);
  const source = { name: body.path, text: body.data.content ?? '' };
  return { name: body.path, revision: `${body.created_at} ${revision}`, read: () => ({ source }) };
}
