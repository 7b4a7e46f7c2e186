import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  /** The first part of the title of the browser's tab. */
  readonly title: string;
  /** The heading, if it is another text. */
  readonly heading?: string;
  readonly description?: ReactNode;
  /** The buttons of the page. */
  readonly children?: ReactNode;
}

/** The heading of a page, which gets the focus after navigation, with the page's buttons. */
export function PageHeader({ title, heading = title, description, children }: PageHeaderProps) {
  return (
    <Group justify="space-between" align="flex-end">
      <title>{`${title} · Quern`}</title>
      <div>
        <Title order={1}>{heading}</Title>
        {description !== undefined && (
          <Text c="dimmed" mt={4}>
            {description}
          </Text>
        )}
      </div>
      {children !== undefined && <Group gap="sm">{children}</Group>}
    </Group>
  );
}
