import { Button, CopyButton } from '@mantine/core';
import { CheckIcon, CopyIcon } from '../../icons.tsx';

interface CopyActionProps {
  readonly label: string;
  readonly value: string;
  /** Whether narrow screens leave it out. */
  readonly isWideOnly?: boolean;
}

/** A button that copies a text to the clipboard. */
export function CopyAction({ label, value, isWideOnly = false }: CopyActionProps) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          {...(isWideOnly ? { visibleFrom: 'sm' } : {})}
          variant="default"
          leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={copy}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
