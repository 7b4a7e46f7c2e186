import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Brand } from '../components/brand.tsx';

/** The page for unknown addresses. */
export function NotFoundPage() {
  return (
    <Container size="xs" py={96} component="main">
      <title>Page not found · Quern</title>
      <Stack align="flex-start" gap="lg">
        <Brand />
        <Title order={1} fz={28}>
          There is no such page
        </Title>
        <Text c="dimmed">The address may have a typo, or the page may have moved.</Text>
        <Button component={Link} to="/">
          Go to the start page
        </Button>
      </Stack>
    </Container>
  );
}
