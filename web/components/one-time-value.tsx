import { Alert, Button, CopyButton, Group, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUnsaved } from '../api/unsaved.ts';
import { CheckIcon, CopyIcon, WarningIcon } from './icons.tsx';

interface OneTimeValueProps {
  /** What to do now, such as “Copy it now”. */
  readonly title: string;
  /** Why: the value is shown only once. */
  readonly children: ReactNode;
  /** The name of the value. */
  readonly label: string;
  readonly value: string;
  /** The button that closes the dialog. */
  readonly doneLabel: string;
  readonly onDone: () => void;
}

/** A secret that the server returns only once, with a button that copies it: the content of a dialog. */
export function OneTimeValue({ title, children, label, value, doneLabel, onDone }: OneTimeValueProps) {
  useUnsaved(true);
  return (
    <Stack>
      <Alert color="grain" variant="light" icon={<WarningIcon />} title={title} role="alert">
        {children}
      </Alert>
      <TextInput
        label={label}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {doneLabel}
        </Button>
        <CopyButton value={value} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? 'light' : 'filled'}
              leftSection={copied ? <CheckIcon /> : <CopyIcon />}
              onClick={copy}
              autoFocus
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
