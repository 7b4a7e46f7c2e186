import { Container, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface MessagePageProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  /** What the person can do next. */
  readonly children?: ReactNode;
}

/** A page that has only a message: an unknown address, or something that is not allowed. */
export function MessagePage({ icon, title, text, children }: MessagePageProps) {
  return (
    <Container size="xs" py={64}>
      <title>{`${title} · Quern`}</title>
      <Stack align="flex-start" gap="md">
        <ThemeIcon size={48} radius="xl" variant="light">
          {icon}
        </ThemeIcon>
        <Title order={1}>{title}</Title>
        <Text c="dimmed">{text}</Text>
        {children}
      </Stack>
    </Container>
  );
}
