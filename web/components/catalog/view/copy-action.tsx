import { Button, CopyButton } from '@mantine/core';
import { CheckIcon, CopyIcon } from '../../icons.tsx';

interface CopyActionProps {
  readonly label: string;
  readonly value: string;
}

/** A button that copies a text to the clipboard. */
export function CopyAction({ label, value }: CopyActionProps) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
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
