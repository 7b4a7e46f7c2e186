/** A file that a person has chosen, with the folders around it. */
export interface ChosenFile {
  readonly folders: readonly string[];
  readonly file: File;
}

/** The files of a file input. */
export function readInput(files: FileList): readonly ChosenFile[] {
  return [...files].map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }));
}

/** The files that were dropped, with those in folders. Call it within the event. */
export async function readDrop(data: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const files: ChosenFile[] = [];
  for (const entry of entries) if (entry !== null) await addEntry(entry, [], files);
  return files;
}

async function addEntry(entry: FileSystemEntry, folders: readonly string[], files: ChosenFile[]) {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    files.push({ file, folders });
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return;
  const reader = entry.createReader();
  // A reader returns some entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const child of some) await addEntry(child, [...folders, entry.name], files);
  }
}
