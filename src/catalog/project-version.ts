import { readManifest } from '../engine/project/manifest.ts';
import type { CatalogContext } from './context.ts';
import { projectVersionNotFound } from './errors.ts';
import type { LocatedItem } from './find-item.ts';

const MANIFEST = 'project.toml';

/**
 * Checks the requested version of a project in the hub (docs/reference/http-catalog.md#paths): only the version of its
 * manifest exists. Elsewhere the version is ignored. Throws 404.
 */
export function checkProjectVersion(
  { store }: CatalogContext,
  { path, chain }: Pick<LocatedItem, 'path' | 'chain'>,
  version: string | undefined,
): void {
  const project = chain[1];
  if (version === undefined || path.namespace !== '@Project Hub' || project === undefined) return;
  const manifest = store.findChildId(project, MANIFEST);
  const text = manifest === undefined ? undefined : store.readContent(manifest);
  const published = text === undefined ? undefined : readVersion(text);
  if (published !== version) throw projectVersionNotFound(version);
}

function readVersion(text: string): string | undefined {
  return readManifest({ name: MANIFEST, text }).manifest?.general.version;
}
