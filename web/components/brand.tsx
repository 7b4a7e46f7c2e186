import { Group, Text } from '@mantine/core';

/** The product's name and logo: a hand mill from above. */
export function Brand({ size = 28 }: { readonly size?: number }) {
  return (
    <Group gap="xs" wrap="nowrap" component="span">
      <Mark size={size} />
      <Text component="span" fw={700} fz={size * 0.72} lh={1} lts="-0.02em">
        Quern
      </Text>
    </Group>
  );
}

function Mark({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-grain-7)" />
      <g stroke="#fff" strokeLinecap="round">
        <circle cx="16" cy="16" r="9.5" strokeWidth="2.4" />
        <circle cx="16" cy="16" r="2.6" strokeWidth="2.2" />
        <path d="M16 9.6v2M22.4 16h-2M16 22.4v-2M9.6 16h2" strokeWidth="1.8" opacity=".75" />
        <path d="M22.7 22.7l3.2 3.2" strokeWidth="3" />
      </g>
    </svg>
  );
}
