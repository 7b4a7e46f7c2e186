import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { ApiError } from '../api/request.ts';
import { WarningIcon } from './icons.tsx';

interface ErrorAlertProps {
  readonly title: string;
  readonly error: Error;
  /** Retries; absent if a retry cannot help. */
  readonly onRetry?: () => void;
}

/**
 * An error with the server's message, which screen readers announce at once; with the request's id if the server failed,
 * because only its log says more then.
 */
export function ErrorAlert({ title, error, onRetry }: ErrorAlertProps) {
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  return (
    <Alert color="red" variant="light" title={title} icon={<WarningIcon />} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {error.message}
        </Text>
        {requestId !== null && (
          <Text size="xs">
            Request id, for the server log: <Code>{requestId}</Code>
          </Text>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
