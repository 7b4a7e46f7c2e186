import { useEffect, useRef } from 'react';
import { type Entry, isFolder, readItem } from '../../../api/catalog/catalog.ts';
import { zipFolder } from '../../../api/catalog/catalog-download.ts';
import { toFileName, toFolderName } from '../../../api/catalog/file-names.ts';
import { saveFile } from '../../../api/catalog/files.ts';
import type { Reporter } from '../../../api/catalog/transfer.ts';
import { TransferDialog } from './transfer-dialog.tsx';
import { useTransfer } from './use-transfer.ts';

interface DownloadDialogProps {
  readonly entry: Entry;
  readonly onClose: () => void;
}

/** Downloads a script as a file, or a folder as a ZIP file. */
export function DownloadDialog({ entry, onClose }: DownloadDialogProps) {
  const { transfer, run, cancel } = useTransfer();
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    void run((reporter) => download(entry, reporter));
  });
  return (
    <TransferDialog
      title={`Download ${entry.name}`}
      verb="downloaded"
      transfer={transfer}
      onCancel={cancel}
      onClose={onClose}
    />
  );
}

async function download(entry: Entry, reporter: Reporter): Promise<void> {
  if (isFolder(entry.type)) {
    saveFile(`${toFolderName(entry.name)}.zip`, await zipFolder(entry, reporter));
    return;
  }
  reporter.setTotal(1);
  reporter.begin(entry.path);
  const { data } = await readItem(entry.path, reporter.signal);
  if (data.content === undefined) throw new Error('Items of this kind have no text');
  saveFile(toFileName(entry.name), new Blob([data.content], { type: 'text/plain' }));
  reporter.end({ name: entry.path, status: 'done' });
}
