const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people: `512 bytes`, `12.3 MB`. */
export function printBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)), UNITS.length - 1);
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}
