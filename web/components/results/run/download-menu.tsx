import { Button, Menu } from '@mantine/core';
import { DOWNLOAD_FORMATS, printDownload } from '../../../api/runs/result-bytes.ts';
import { DownloadIcon } from '../../icons.tsx';

interface DownloadMenuProps {
  readonly run: string;
  readonly index: number;
  /** Whether the server has the whole result. */
  readonly isReady: boolean;
}

/** Downloads the whole result as a file; nothing runs again. */
export function DownloadMenu({ run, index, isReady }: DownloadMenuProps) {
  return (
    <Menu position="bottom-end" shadow="md" width={180}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<DownloadIcon size={16} />}
          disabled={!isReady}
          title={isReady ? undefined : 'The statement is still running'}
        >
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>The whole result as</Menu.Label>
        {DOWNLOAD_FORMATS.map(({ format, label }) => (
          <Menu.Item key={format} component="a" href={printDownload(run, index, format)} download>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
