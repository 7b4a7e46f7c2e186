/** Saves bytes as a file of the user's. */
export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the bytes after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
