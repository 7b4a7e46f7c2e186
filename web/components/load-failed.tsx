import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { LoadError } from './load-error.tsx';

/** The page for a failed load. */
export function LoadFailed({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Container size="xs" py={64}>
      <title>Error · Quern</title>
      <LoadError
        title="This page cannot be shown right now"
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => void router.invalidate()}
      />
    </Container>
  );
}
