import { Badge, Code, Group, Text } from '@mantine/core';
import type { ListedToken } from '../../api/tokens.ts';
import { TimeText } from '../time-text.tsx';

const SOON_MS = 7 * 86_400_000;

interface TokenProps {
  readonly token: ListedToken;
}

/** The first and last characters of a token. */
export function TokenEnds({ token: { first8, last4 } }: TokenProps) {
  return (
    <Code style={{ whiteSpace: 'nowrap' }}>
      {first8}…{last4}
    </Code>
  );
}

/** The expiration of a token. */
export function TokenExpiry({ token: { expires_at } }: TokenProps) {
  if (expires_at === null) return <Text size="sm">Never</Text>;
  const left = new Date(expires_at).getTime() - Date.now();
  return (
    <Group gap="xs" wrap="nowrap">
      <TimeText value={expires_at} />
      {left <= 0 && (
        <Badge size="sm" variant="default">
          Expired
        </Badge>
      )}
      {left > 0 && left <= SOON_MS && (
        <Badge size="sm" variant="default">
          Soon
        </Badge>
      )}
    </Group>
  );
}

/** The last use of a token. */
export function TokenUse({ token: { last_used_at } }: TokenProps) {
  return last_used_at === null ? (
    <Text size="sm" c="dimmed">
      Never
    </Text>
  ) : (
    <TimeText value={last_used_at} isRelative />
  );
}
