import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

interface SectionProps {
  readonly title: string;
  readonly description?: string;
  /** The section's button. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page that is not a list. */
export function Section({ title, description, action, children }: SectionProps) {
  return (
    <Paper
      component="section"
      className={classes.section}
      withBorder
      radius="lg"
      p={{ base: 'md', xs: 'lg' }}
    >
      <Stack>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} fz="lg">
              {title}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" size="sm" mt={4}>
                {description}
              </Text>
            )}
          </div>
          {action}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
