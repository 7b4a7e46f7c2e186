import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { explanationQuery } from '../../../api/administration/permissions.ts';
import type { Reason } from '../../../api/catalog/catalog-grants.ts';
import { printReason } from '../../catalog/access/print-reason.ts';
import { LoadError } from '../../load-error.tsx';
import { SidePanel } from '../../side-panel.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { UserPicker } from '../../user-picker.tsx';
import { Items, PanelHeading } from '../panel-parts.tsx';
import classes from '../row.module.css';
import { GrantLink } from './grant-link.tsx';
import { printAnswer } from './print-change.ts';

interface ExplainPanelProps {
  readonly user: string | undefined;
  readonly target: string | undefined;
  readonly onAsk: (user: string, target: string) => void;
  readonly onClose: () => void;
}

/** “Can X see Y?”, answered in sentences, with a link to each grant that decides. */
export function ExplainPanel({ user, target, onAsk, onClose }: ExplainPanelProps) {
  return (
    <SidePanel title="Can someone see it?" onClose={onClose}>
      <Stack gap="lg">
        <Question key={`${user} ${target}`} user={user} target={target} onAsk={onAsk} />
        {user !== undefined && target !== undefined && <Answer user={user} target={target} />}
      </Stack>
    </SidePanel>
  );
}

function Question({ user, target = '', onAsk }: Omit<ExplainPanelProps, 'onClose'>) {
  const [name, setName] = useState<string | null>(user ?? null);
  const [path, setPath] = useState(target);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name !== null && path.trim() !== '') onAsk(name, path.trim());
  };
  return (
    <form onSubmit={submit} aria-label="Can someone see it?">
      <Stack gap="sm">
        <UserPicker label="User" placeholder="Name or address" value={name} onChange={setName} />
        <TextInput
          label="Path or connection"
          placeholder="@Shared/reports or connection:duckdb"
          value={path}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={name === null || path.trim() === ''}>
          Explain
        </Button>
      </Stack>
    </form>
  );
}

function Answer({ user, target }: { readonly user: string; readonly target: string }) {
  const { data, error, refetch } = useQuery(explanationQuery(user, target));
  if (error !== null) {
    return <LoadError title="The access cannot be explained" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonRows label="Loading the explanation" height={40} />;
  const reasons = data.reasons as readonly Reason[];
  return (
    <Stack gap="sm" component="section" aria-label="Answer">
      <Alert color={data.level === 'NONE' ? 'gray' : 'green'} variant="light">
        {printAnswer(data.user, data.target, data.level)}
      </Alert>
      <PanelHeading>Why</PanelHeading>
      <Items label="Reasons" none={`Nothing is granted to ${data.user}, to their groups or to everyone.`}>
        {reasons.map((reason) => (
          <li key={printReason(reason)} className={classes.item}>
            <ReasonText reason={reason} user={data.user} />
          </li>
        ))}
      </Items>
    </Stack>
  );
}

/** A reason; that of a grant leads to the grant, and that of an account to the user. */
function ReasonText({ reason, user }: { readonly reason: Reason; readonly user: string }) {
  const text = toSentence(printReason(reason));
  const { kind, subject, target } = reason;
  if (kind === 'grant' && subject !== undefined && target !== undefined) {
    return (
      <GrantLink subject={subject} target={target}>
        {text}
      </GrantLink>
    );
  }
  if (kind === 'role' || kind === 'disabled' || kind === 'super_user') {
    return (
      <Link to="/administration/users" search={{ user }} className={classes.name}>
        <Text size="sm" span td="underline">
          {text}
        </Text>
      </Link>
    );
  }
  return <Text size="sm">{text}</Text>;
}

function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
