import { Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type FailedSignIn, failedSignInsQuery } from '../../../api/administration/single-sign-on.ts';
import { LoadError } from '../../load-error.tsx';
import { Section } from '../../section.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import { Items } from '../panel-parts.tsx';
import classes from '../row.module.css';

/** How long after the last key the list is loaded, in milliseconds. */
const PAUSE_MS = 250;

interface FailedSignInsProps {
  readonly reference: string | undefined;
  readonly onReference: (reference: string | undefined) => void;
}

/** Sign-ins that were refused, found by the reference on the page that the person saw. */
export function FailedSignIns({ reference, onReference }: FailedSignInsProps) {
  const { data, error, refetch } = useQuery(failedSignInsQuery(reference));
  const [text, setText] = useState(reference ?? '');
  const search = useDebouncedCallback((value: string) => onReference(value.trim() || undefined), PAUSE_MS);
  return (
    <Section title="Failed sign-ins" description="Of the last 30 days. Ask the person for the reference.">
      <TextInput
        label="Reference"
        placeholder="As on the page that the person saw"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          search(value);
        }}
      />
      {data === undefined && error !== null && (
        <LoadError title="The failed sign-ins cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows label="Loading failed sign-ins" height={40} />}
      <Items
        label="Failed sign-ins"
        none={reference === undefined ? 'No sign-in has failed' : 'No failed sign-in has this reference'}
      >
        {data?.map((entry) => (
          <FailureRow key={entry.id} entry={entry} />
        ))}
      </Items>
    </Section>
  );
}

function FailureRow({ entry }: { readonly entry: FailedSignIn }) {
  const { reference, last_at, count, check, detail, address, name_id, email } = entry;
  const who = [email ?? name_id, address].filter((part) => part !== null).join(', ');
  return (
    <li className={classes.item}>
      <div>
        <Text size="sm">
          {check}: {detail}
        </Text>
        <Text size="xs" c="dimmed">
          {who}
          {count > 1 && `, ${count.toLocaleString()} times`}, reference {reference}
        </Text>
      </div>
      <TimeText value={last_at} withTime />
    </li>
  );
}
