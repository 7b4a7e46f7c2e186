import { Alert, Button, Stack, Text } from '@mantine/core';
import { WarningIcon } from './icons.tsx';

interface ErrorAlertProps {
  readonly title: string;
  readonly error: Error;
  /** Retries; absent if a retry cannot help. */
  readonly onRetry?: () => void;
}

/** An error with the server's message; screen readers announce it at once. */
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
