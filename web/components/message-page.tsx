import { Box, Container, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface MessageProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: ReactNode;
  /** Next steps, such as a button. */
  readonly children?: ReactNode;
  /** The level of the heading. */
  readonly order?: 1 | 2;
}

/** A message that replaces content, such as content that the user may not see. */
export function Message({ icon, title, text, children, order = 2 }: MessageProps) {
  return (
    <Stack align="flex-start" gap="md" maw={560}>
      <ThemeIcon size={48} radius="xl" variant="light">
        {icon}
      </ThemeIcon>
      <Title order={order}>{title}</Title>
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {children}
    </Stack>
  );
}

/** A part of a page that has only a message, such as an empty folder. */
export function MessagePart(props: Omit<MessageProps, 'order'>) {
  return (
    <Box p={{ base: 'md', sm: 'xl' }}>
      <Message {...props} />
    </Box>
  );
}

/** A page that has only a message, such as that of an unknown address. */
export function MessagePage(props: Omit<MessageProps, 'order'>) {
  return (
    <Container size="xs" py={64}>
      <title>{`${props.title} · Quern`}</title>
      <Message {...props} order={1} />
    </Container>
  );
}
