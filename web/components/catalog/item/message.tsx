import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface MessageProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** An explanation, and actions. */
  readonly children: ReactNode;
}

/** What a part of a page shows instead of its contents. */
export function Message({ icon, title, children }: MessageProps) {
  return (
    <Center p="xl" flex={1}>
      <Stack align="center" gap="sm" maw={440} ta="center">
        <ThemeIcon size={56} radius="xl" variant="light">
          {icon}
        </ThemeIcon>
        <Title order={2} fz="lg">
          {title}
        </Title>
        {children}
      </Stack>
    </Center>
  );
}

/** The text of a message. */
export function MessageText({ children }: { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}
