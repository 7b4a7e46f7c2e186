import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  applyMatrixChanges,
  type GrantEffects,
  type MatrixChange,
  previewQuery,
} from '../../../api/administration/permissions.ts';
import { reloadCatalog } from '../../../api/catalog/catalog.ts';
import { ApiError } from '../../../api/request.ts';
import { printCounted } from '../../catalog/view/print-size.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { Facts } from '../../facts.tsx';
import { WarningIcon } from '../../icons.tsx';
import { notify } from '../../notify.ts';
import { SidePanel } from '../../side-panel.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { Items, PanelHeading } from '../panel-parts.tsx';
import classes from '../row.module.css';
import { printChange, printEffect } from './print-change.ts';

interface ReviewPanelProps {
  readonly changes: readonly MatrixChange[];
  readonly onClose: () => void;
  readonly onApplied: () => void;
}

/** The collected changes, who gains and loses what, and the button that applies them together. */
export function ReviewPanel({ changes, onClose, onApplied }: ReviewPanelProps) {
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery(previewQuery(client, changes));
  const apply = useMutation({
    mutationFn: (etag: string) => applyMatrixChanges(client, changes, etag),
    onSuccess: ({ changed }) => {
      notify(`Applied ${printCounted(changed, 'change')}`);
      onApplied();
    },
  });
  // Another preview, of the grants as they are now, has another tag.
  const failed = apply.variables === data?.etag ? apply.error : null;
  const isOutdated = failed instanceof ApiError && failed.status === 412;
  const previewAgain = () => Promise.all([reloadCatalog(client), refetch()]);
  return (
    <SidePanel title="Review the changes" onClose={onClose}>
      <Stack gap="lg">
        <Stack gap="xs" component="section" aria-label="Changes">
          <PanelHeading>{printCounted(changes.length, 'change')}</PanelHeading>
          <Sentences label="Changes" none="No changes" sentences={changes.map(printChange)} />
        </Stack>
        {error !== null && (
          <ErrorAlert title="The changes cannot be previewed" error={error} onRetry={() => void refetch()} />
        )}
        {data === undefined && error === null && <SkeletonRows label="Loading the preview" height={40} />}
        {data?.effects !== undefined && <Effects effects={data.effects} />}
        {isOutdated && <Outdated isPending={isFetching} onPreview={() => void previewAgain()} />}
        {failed !== null && !isOutdated && <ErrorAlert title="Nothing was applied" error={failed} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Back to the matrix
          </Button>
          <Button
            disabled={data === undefined || isOutdated}
            loading={apply.isPending}
            onClick={() => data !== undefined && apply.mutate(data.etag)}
          >
            {`Apply ${printCounted(changes.length, 'change')}`}
          </Button>
        </Group>
      </Stack>
    </SidePanel>
  );
}

function Outdated({ isPending, onPreview }: { readonly isPending: boolean; readonly onPreview: () => void }) {
  return (
    <Alert
      color="grain"
      variant="light"
      title="The preview is out of date"
      icon={<WarningIcon />}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Someone else has changed these grants since, and nothing was applied. Look at the changes again
          before you apply them.
        </Text>
        <Button size="xs" variant="default" loading={isPending} onClick={onPreview}>
          Preview again
        </Button>
      </Stack>
    </Alert>
  );
}

function Effects({ effects: { gains, losses, data } }: { readonly effects: GrantEffects }) {
  const rest = gains + losses - data.length;
  return (
    <Stack gap="xs" component="section" aria-label="Effects">
      <PanelHeading>Who gains and loses what</PanelHeading>
      <Facts facts={{ Gains: gains.toLocaleString(), Losses: losses.toLocaleString() }} />
      <Sentences
        label="Effects"
        none="No active user gains or loses anything."
        sentences={data.map(printEffect)}
      />
      {rest > 0 && (
        <Text size="sm" c="dimmed">
          {`${rest.toLocaleString()} more are not named.`}
        </Text>
      )}
    </Stack>
  );
}

interface SentencesProps {
  readonly label: string;
  readonly none: string;
  readonly sentences: readonly string[];
}

function Sentences({ label, none, sentences }: SentencesProps) {
  return (
    <Items label={label} none={none}>
      {sentences.map((sentence) => (
        <li key={sentence} className={classes.item}>
          <Text size="sm">{sentence}</Text>
        </li>
      ))}
    </Items>
  );
}
