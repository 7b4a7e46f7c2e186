/** Saves what the server sends from an address as a file of the user's. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Saves bytes as a file of the user's. */
export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  saveAddress(url, name);
  // The browser reads the bytes after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
