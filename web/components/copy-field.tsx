import { ActionIcon, CopyButton, TextInput } from '@mantine/core';
import { CheckIcon, CopyIcon } from './icons.tsx';

interface CopyFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly className?: string | undefined;
}

/** A value to take along, with a button that copies it. */
export function CopyField({ label, description, value, className }: CopyFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      className={className}
      value={value}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      spellCheck={false}
      rightSection={
        <CopyButton value={value} timeout={2_000}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={copied ? `Copied: ${label}` : `Copy: ${label}`}
              onClick={copy}
            >
              {copied ? <CheckIcon /> : <CopyIcon />}
            </ActionIcon>
          )}
        </CopyButton>
      }
    />
  );
}
