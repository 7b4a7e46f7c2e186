import { Skeleton, Stack } from '@mantine/core';

interface SkeletonRowsProps {
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly count?: number;
  /** The height of a row, in pixels. */
  readonly height?: number;
}

/** The placeholder of a list that is loading, as high as the list is likely to be. */
export function SkeletonRows({ label, count = 3, height = 56 }: SkeletonRowsProps) {
  return (
    <Stack gap="xs" role="status" aria-label={label}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
        <Skeleton key={row} height={height} radius="lg" />
      ))}
    </Stack>
  );
}
