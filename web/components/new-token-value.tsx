import { Alert, Button, CopyButton, Group, Stack, TextInput } from '@mantine/core';
import type { NewToken } from '../api/tokens.ts';
import { useUnsaved } from '../api/unsaved.ts';
import { CheckIcon, CopyIcon, WarningIcon } from './icons.tsx';

interface NewTokenValueProps {
  readonly token: NewToken;
  readonly onDone: () => void;
}

/** The value of a new token, which is shown only once (docs/reference/tokens.md#form-and-storage). */
export function NewTokenValue({ token, onDone }: NewTokenValueProps) {
  useUnsaved(true);
  return (
    <Stack>
      <Alert color="grain" variant="light" icon={<WarningIcon />} title="Copy it now" role="alert">
        The token is shown only once. After you close this dialog, you cannot see it again.
      </Alert>
      <TextInput
        label={`Token ${token.name}`}
        value={token.token}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group justify="flex-end">
        <CopyButton value={token.token} timeout={3_000}>
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
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
