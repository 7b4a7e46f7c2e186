import { Text, useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { ErrorAlert } from '../../error-alert.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { showDirections } from '../item/show-directions.ts';
import { compareTexts, type DiffRow, toOneColumn } from './compare-texts.ts';
import classes from './history.module.css';

/** The height of a line, in pixels. */
const LINE_HEIGHT = 20;
/** The maximum UTF-16 units of a line to show. */
const MAX_LENGTH = 2_000;

interface DiffViewProps {
  /** Identifies the two texts. */
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Two texts side by side, or on a narrow page one below the other, with the lines that differ marked; only visible lines
 * are drawn.
 */
export function DiffView({ id, before, after }: DiffViewProps) {
  const { data, error } = useQuery({
    queryKey: ['catalog', 'difference', id],
    queryFn: () => compareTexts(before, after),
    gcTime: 0,
  });
  if (error !== null) return <ErrorAlert title="The texts cannot be compared" error={error} />;
  if (data === undefined) return <SkeletonRows label="Comparing" height={20} />;
  if (data === null) return <Text size="sm">The texts are too large and too different to compare.</Text>;
  if (data.every(({ kind }) => kind === 'same')) return <Text size="sm">The texts are the same.</Text>;
  return <Rows rows={data} />;
}

function Rows({ rows: sides }: { readonly rows: readonly DiffRow[] }) {
  const { breakpoints } = useMantineTheme();
  const isWide = useMediaQuery(`(min-width: ${breakpoints.sm})`, true, { getInitialValueInEffect: false });
  const rows = useMemo(() => (isWide ? sides : toOneColumn(sides)), [isWide, sides]);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the texts
    <section ref={box} className={classes.diff} aria-label="Difference" tabIndex={0}>
      <div className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div key={index} className={classes.row} style={{ transform: `translateY(${start}px)` }}>
              {(isWide || row.before !== null) && (
                <Side line={row.before} change={row.kind === 'changed' ? 'removed' : undefined} />
              )}
              {(isWide || row.before === null) && (
                <Side line={row.after} change={row.kind === 'changed' ? 'added' : undefined} />
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

interface SideProps {
  readonly line: DiffRow['before'];
  readonly change: 'removed' | 'added' | undefined;
}

function Side({ line, change }: SideProps) {
  if (line === null) return <span className={classes.gap} />;
  return (
    <code
      className={classes.side}
      data-line={line.number}
      data-change={change}
      title={line.text.slice(0, 500)}
    >
      {showDirections(line.text.slice(0, MAX_LENGTH))}
    </code>
  );
}
