import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogItem, isAtLeast, levelQuery, reloadCatalog } from '../../../api/catalog/catalog.ts';
import {
  type Revision,
  restoreRevision,
  revisionsQuery,
  revisionTextQuery,
} from '../../../api/catalog/catalog-history.ts';
import { LoadError } from '../../load-error.tsx';
import { notify } from '../../notify.ts';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import { ChangeError } from '../dialogs/change-error.tsx';
import { ItemName } from '../item/item-name.tsx';
import { printSize } from '../view/print-size.ts';
import classes from './history.module.css';
import { RevisionDifferences } from './revision-differences.tsx';

interface HistoryPanelProps {
  readonly item: CatalogItem;
  /** The chosen version, in the address. */
  readonly version: number | undefined;
  readonly onChoose: (version: number) => void;
}

/** The history of a script: who changed it and when, the difference to the current text, and restore. */
export function HistoryPanel({ item, version, onChoose }: HistoryPanelProps) {
  const { data, error, refetch } = useQuery(revisionsQuery(item.path));
  if (error !== null)
    return <LoadError title="The history cannot be shown" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows label="Loading the history" height={36} />;
  const former = data.filter(isFormer);
  const shown = former.find(({ ordinal }) => ordinal === version) ?? former[0];
  return (
    <div className={classes.panel}>
      <ul className={classes.list} aria-label="Versions">
        {data.map((revision) => (
          <li key={revision.revision}>
            <UnstyledButton
              className={classes.revision}
              aria-pressed={revision === shown}
              disabled={!isFormer(revision)}
              onClick={() => onChoose(revision.ordinal)}
            >
              <RevisionFacts
                revision={revision}
                from={data.find((one) => one.revision === revision.restored_from)}
              />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {shown === undefined ? (
        <Text size="sm" p="md" c="dimmed">
          No earlier versions
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

interface RevisionFactsProps {
  readonly revision: Revision;
  /** The version whose text was restored, if the history still has it. */
  readonly from: Revision | undefined;
}

function RevisionFacts({ revision: { revision, ordinal, ...facts }, from }: RevisionFactsProps) {
  const restored = from === undefined ? 'restored' : `restored from version ${from.ordinal}`;
  const action = facts.restored_from === null ? (facts.action ?? 'stored') : restored;
  return (
    <>
      <span className={classes.version}>
        <Text span size="sm" fw={500} title={`Revision ${revision}`}>
          Version {ordinal}
        </Text>
        {' · '}
        <ItemName name={facts.user_name ?? 'an unknown user'} />
        {' · '}
        <TimeText value={facts.created_at} isRelative />
      </span>
      <span className={classes.muted}>{facts.is_current ? `${action}, current` : action}</span>
      <span className={classes.muted}>{facts.purged_at === null ? printSize(facts.bytes) : 'purged'}</span>
    </>
  );
}

function Compared({
  item,
  revision: { revision, ordinal },
}: {
  readonly item: CatalogItem;
  readonly revision: Revision;
}) {
  const client = useQueryClient();
  const [base, setBase] = useState(item);
  const [isFolded, setFolded] = useState(true);
  const { data: text, error, refetch } = useQuery(revisionTextQuery(item.path, revision));
  const { data: level } = useQuery(levelQuery(item.path));
  const restoring = useMutation({
    mutationFn: () => restoreRevision(client, base, revision),
    onSuccess: () => {
      notify(`Restored version ${ordinal} of ${item.name}`);
      return reloadCatalog(client);
    },
  });
  return (
    <div className={classes.compared}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">From version {ordinal} to the current text</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setFolded(!isFolded)}>
            {isFolded ? 'Show unchanged lines' : 'Hide unchanged lines'}
          </Button>
          {isAtLeast(level, 'EDIT') && (
            <Button
              size="xs"
              variant="default"
              loading={restoring.isPending}
              onClick={() => restoring.mutate()}
            >
              Restore version {ordinal}
            </Button>
          )}
        </Group>
      </Group>
      <ChangeError
        title="The version was not restored"
        error={restoring.error}
        path={item.path}
        onReload={(current) => {
          restoring.reset();
          setBase(current);
        }}
      />
      {error !== null && (
        <LoadError title="The version cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && text === undefined && <SkeletonRows label="Loading the version" height={20} />}
      {text !== undefined && (
        <RevisionDifferences
          path={item.path}
          version={ordinal}
          before={text}
          after={item.data.content ?? ''}
          isFolded={isFolded}
        />
      )}
    </div>
  );
}
