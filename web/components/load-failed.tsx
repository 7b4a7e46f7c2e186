import { Container, Stack, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useContext } from 'react';
import { SessionContext } from '../api/use-session.ts';
import { LoadError } from './load-error.tsx';
import { PublicPage } from './public-page.tsx';

/** The page for a failed load, inside the shell if the shell could be loaded. */
export function LoadFailed({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isInShell = useContext(SessionContext) !== null;
  const content = (
    <Container size="xs" py={64}>
      <title>Error · Quern</title>
      <Stack gap="lg">
        <Title order={1}>This page cannot be shown</Title>
        <LoadError
          title="The page could not be loaded"
          error={error instanceof Error ? error : new Error(String(error))}
          onRetry={() => void router.invalidate()}
        />
      </Stack>
    </Container>
  );
  return isInShell ? content : <PublicPage>{content}</PublicPage>;
}
