import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FactsProps {
  /** The values by name, in order. */
  readonly facts: Readonly<Record<string, ReactNode>>;
  /** The number of columns on a page that is not narrow. */
  readonly columns?: number;
}

/** Names with values. */
export function Facts({ facts, columns = 2 }: FactsProps) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: columns }} spacing="sm" m={0}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
