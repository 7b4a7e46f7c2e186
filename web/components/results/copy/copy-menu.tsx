import { Button, Menu } from '@mantine/core';
import { printCounted } from '../../catalog/view/print-size.ts';
import { CopyIcon } from '../../icons.tsx';
import { COPY_FORMATS, type CopyFormat } from './copy-rows.ts';

interface CopyMenuProps {
  /** The number of rows and columns that would be copied. */
  readonly rows: number;
  readonly columns: number;
  readonly onCopy: (format: CopyFormat, withHeader: boolean) => void;
}

/** The formats that exist with and without a header. */
const WITHOUT_HEADER: readonly CopyFormat[] = ['TSV', 'CSV'];

/** Copies cells in a format. */
export function CopyMenu({ rows, columns, onCopy }: CopyMenuProps) {
  return (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<CopyIcon size={16} />}
          disabled={columns === 0}
        >
          Copy
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {printCounted(rows, 'row')}, {printCounted(columns, 'column')}
        </Menu.Label>
        {COPY_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => onCopy(format, true)}>
            {WITHOUT_HEADER.includes(format) ? `${format} with a header` : format}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {WITHOUT_HEADER.map((format) => (
          <Menu.Item key={format} onClick={() => onCopy(format, false)}>
            {format} without a header
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
