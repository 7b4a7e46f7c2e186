/** Names of assets that are also names of files. */
const KEPT = /\.(sql|toml|ya?ml|json)$/i;

/**
 * The file of an asset: `report` becomes `report.sql`. Characters that file systems do not allow become `_`, so that no
 * name leads out of a folder.
 */
export function toFileName(name: string): string {
  const safe = toFolderName(name);
  return KEPT.test(name) ? safe : `${safe}.sql`;
}

/** The folder on disk of a folder in the catalog. */
export function toFolderName(name: string): string {
  const safe = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/[. ]+$/, (end) => '_'.repeat(end.length));
  return safe === '' ? '_' : safe;
}

/** The asset of a file: `report.sql` becomes `report`, other names stay. */
export function toAssetName(fileName: string): string {
  return fileName.replace(/(?<=.)\.sql$/i, '');
}

/** The name, or the first of `name (2)`, `name (3)` … that is free; a file keeps its ending. */
export function findFree(name: string, isUsed: (name: string) => boolean): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[A-Za-z]{1,5})?$/s.exec(name) ?? [];
  let free = name;
  for (let count = 2; isUsed(free); count += 1) free = `${stem} (${count})${ending}`;
  return free;
}
