const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space is left on the disk',
};

/** The reason of a file error for people; `missing` says what is missing if the path leads nowhere. */
export function explainFileError(error: unknown, missing = 'there is no such folder'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return missing;
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
