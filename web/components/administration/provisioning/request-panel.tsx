import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  type LoggedRequest,
  OUTCOME_NAMES,
  printBody,
  printTarget,
  scimRequestQuery,
} from '../../../api/administration/provisioning.ts';
import { Facts } from '../../facts.tsx';
import { BookIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { Message } from '../../message-page.tsx';
import { SidePanel } from '../../side-panel.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import { PanelHeading } from '../panel-parts.tsx';
import classes from '../row.module.css';

interface RequestPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** A request of an identity provider, with its body. */
export function RequestPanel({ id, onClose }: RequestPanelProps) {
  const { data: entry, error, refetch } = useQuery(scimRequestQuery(id));
  return (
    <SidePanel title="Request" onClose={onClose}>
      {entry === undefined && error !== null && (
        <LoadError title="The request cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {entry === undefined && error === null && <SkeletonRows label="Loading the request" />}
      {entry === null && (
        <Message
          icon={<BookIcon size={24} />}
          title="Not found"
          text="The log does not have this request any more: it keeps the last 1,000."
        />
      )}
      {entry && (
        <Stack gap="lg">
          <Text style={{ overflowWrap: 'anywhere' }}>{printTarget(entry)}</Text>
          <Facts facts={listFacts(entry)} />
          <Stack gap="sm">
            <PanelHeading>Body</PanelHeading>
            <Body entry={entry} />
          </Stack>
        </Stack>
      )}
    </SidePanel>
  );
}

function listFacts(entry: LoggedRequest): Readonly<Record<string, ReactNode>> {
  const { outcome, status, scim_type, detail, token, token_name, address, count, at, last_at } = entry;
  const isCounted = count > 1;
  return {
    Outcome: OUTCOME_NAMES[outcome],
    Status: scim_type === null ? status : `${status} ${scim_type}`,
    ...(detail === null ? {} : { Detail: detail }),
    ...(isCounted ? { Requests: count.toLocaleString(), First: <TimeText value={at} withTime /> } : {}),
    [isCounted ? 'Last' : 'Time']: <TimeText value={last_at} withTime />,
    'API key': token_name ?? token ?? 'None',
    Address: address,
    Duration: `${entry.duration_ms} ms`,
    'Request id': entry.request_id,
  };
}

function Body({ entry: { body, body_cut, outcome } }: { readonly entry: LoggedRequest }) {
  if (body === null) {
    return (
      <Text size="sm" c="dimmed">
        {outcome === 'refused'
          ? 'The server reads no body without a valid API key.'
          : 'The request had no body, or one that is not stored: it was too large, or not JSON.'}
      </Text>
    );
  }
  return (
    <>
      {body_cut && (
        <Text size="sm" c="dimmed">
          The body was longer: the log keeps its first 16 KB.
        </Text>
      )}
      <Code block className={classes.json}>
        {printBody(body)}
      </Code>
    </>
  );
}
