import { Alert, Button, Stack, Text } from '@mantine/core';
import { WarningIcon } from './icons.tsx';

interface ErrorAlertProps {
  readonly title: string;
  readonly error: Error;
  /** Has it tried again, where that can help. */
  readonly onRetry?: () => void;
}

/** What went wrong, in the server's words, read out at once. */
export function ErrorAlert({ title, error, onRetry }: ErrorAlertProps) {
  return (
    <Alert color="red" variant="light" title={title} icon={<WarningIcon />} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
