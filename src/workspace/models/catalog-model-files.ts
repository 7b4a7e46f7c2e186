import type { StoredText, TextTree } from '../../catalog/list-texts.ts';
import type { CatalogService } from '../../catalog/service.ts';
import { parseManifest } from '../../engine/project/manifest.ts';
import { chooseModel, NoModelError } from '../../semantic/model/load/choose-model.ts';
import { isModelFile, MAX_FILES, type ModelFile } from '../../semantic/model/load/model-file.ts';
import { modelMessages } from '../../semantic/model/model-messages.ts';

/**
 * The files of a model in the catalog, without a permission check: an asset, all files below a folder, or those of a
 * project's `[semantic.<key>]` (docs/reference/semantic-model.md#several-files). Throws a NoModelError without model
 * files, a ServiceError for a missing path, and a DiagnosticError for an invalid manifest.
 */
export function listCatalogModelFiles(
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
  const text = texts.find((each) => each.path === name)?.read();
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
