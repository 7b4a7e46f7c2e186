import { Button, Group, Text, UnstyledButton, useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { type CatalogItem, isAtLeast, levelQuery, reloadCatalog } from '../../../api/catalog/catalog.ts';
import {
  type Revision,
  restoreRevision,
  revisionsQuery,
  revisionTextQuery,
} from '../../../api/catalog/catalog-history.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { LoadError } from '../../load-error.tsx';
import { notify } from '../../notify.ts';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import { ChangeError } from '../dialogs/change-error.tsx';
import { ItemName } from '../item/item-name.tsx';
import { showDirections } from '../item/show-directions.ts';
import { printSize } from '../view/print-size.ts';
import { compareTexts, type DiffRow, toOneColumn } from './compare-texts.ts';
import classes from './history.module.css';

/** The history of a script: who changed it and when, the difference to the current text, and restore. */
export function HistoryPanel({ item }: { readonly item: CatalogItem }) {
  const { data, error, refetch } = useQuery(revisionsQuery(item.path));
  const [chosen, setChosen] = useState<number | null>(null);
  if (error !== null)
    return <LoadError title="The history cannot be shown" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows label="Loading the history" height={36} />;
  const shown = data.find(({ revision }) => revision === chosen) ?? data.find(isFormer);
  return (
    <div className={classes.panel}>
      <ul className={classes.list} aria-label="Revisions">
        {data.map((revision) => (
          <li key={revision.revision}>
            <UnstyledButton
              className={classes.revision}
              aria-pressed={revision === shown}
              disabled={!isFormer(revision)}
              onClick={() => setChosen(revision.revision)}
            >
              <RevisionFacts revision={revision} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {shown === undefined ? (
        <Text size="sm" p="md" c="dimmed">
          There are no earlier texts of this script.
        </Text>
      ) : (
        <Compared key={shown.revision} item={item} revision={shown} />
      )}
    </div>
  );
}

/** Whether a revision has a text that is not the current one. */
function isFormer({ is_current, purged_at }: Revision): boolean {
  return !is_current && purged_at === null;
}

function RevisionFacts({ revision: { revision, ...facts } }: { readonly revision: Revision }) {
  return (
    <>
      <Text span size="sm" fw={600}>
        Revision {revision}
        {facts.is_current && ', current'}
      </Text>
      <span className={classes.muted}>
        {facts.action ?? 'stored'} by <ItemName name={facts.user_name ?? 'an unknown user'} />
        {facts.restored_from !== null && ` from revision ${facts.restored_from}`}
      </span>
      <span className={classes.muted}>
        <TimeText value={facts.created_at} withTime />
      </span>
      <span className={classes.muted}>{facts.purged_at === null ? printSize(facts.bytes) : 'purged'}</span>
    </>
  );
}

function Compared({
  item,
  revision: { revision },
}: {
  readonly item: CatalogItem;
  readonly revision: Revision;
}) {
  const client = useQueryClient();
  const [base, setBase] = useState(item);
  const { data: text, error, refetch } = useQuery(revisionTextQuery(item.path, revision));
  const { data: level } = useQuery(levelQuery(item.path));
  const restoring = useMutation({
    mutationFn: () => restoreRevision(client, base, revision),
    onSuccess: () => {
      notify(`Restored revision ${revision} of ${item.name}`);
      return reloadCatalog(client);
    },
  });
  return (
    <div className={classes.compared}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">From revision {revision} to the current text</Text>
        {isAtLeast(level, 'EDIT') && (
          <Button
            size="xs"
            variant="default"
            loading={restoring.isPending}
            onClick={() => restoring.mutate()}
          >
            Restore revision {revision}
          </Button>
        )}
      </Group>
      <ChangeError
        title="The revision was not restored"
        error={restoring.error}
        path={item.path}
        onReload={(current) => {
          restoring.reset();
          setBase(current);
        }}
      />
      {error !== null && (
        <LoadError title="The revision cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && text === undefined && <SkeletonRows label="Loading the revision" height={20} />}
      {text !== undefined && (
        <DiffView
          id={`${item.path} ${revision} ${item.etag}`}
          before={text}
          after={item.data.content ?? ''}
        />
      )}
    </div>
  );
}

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
function DiffView({ id, before, after }: DiffViewProps) {
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
