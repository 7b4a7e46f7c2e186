import { Button } from '@mantine/core';
import { toFileName } from '../../../api/catalog/file-names.ts';
import { saveFile } from '../../../api/catalog/files.ts';
import { DownloadIcon } from '../../icons.tsx';

interface DownloadActionProps {
  readonly name: string;
  readonly content: string;
}

/** A button that saves a script as a file. */
export function DownloadAction({ name, content }: DownloadActionProps) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<DownloadIcon size={16} />}
      onClick={() => saveFile(toFileName(name), new Blob([content], { type: 'text/plain' }))}
    >
      Download
    </Button>
  );
}
