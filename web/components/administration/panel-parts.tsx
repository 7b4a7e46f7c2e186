import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { subjectGrantsQuery } from '../../api/catalog/catalog-grants.ts';
import { LoadError } from '../load-error.tsx';
import { SkeletonRows } from '../skeleton-rows.tsx';
import classes from './row.module.css';

/** The heading of a part of a panel. */
export function PanelHeading({ children }: { readonly children: string }) {
  return (
    <Title order={3} fz="md">
      {children}
    </Title>
  );
}

interface ItemsProps {
  /** The name of the list, for screen readers. */
  readonly label: string;
  /** The text for an empty list. */
  readonly none: string;
  /** Undefined while the list is loading. */
  readonly children: readonly ReactNode[] | undefined;
}

/** A short list in a panel. */
export function Items({ label, none, children }: ItemsProps) {
  if (children === undefined) return null;
  if (children.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

/** The grants that affect a subject (`user:NAME` or `group:NAME`), with the subject of each that is another one. */
export function GrantItems({ subject }: { readonly subject: string }) {
  const { data: grants, error, refetch } = useQuery(subjectGrantsQuery(subject));
  return (
    <>
      {grants === undefined && error === null && (
        <SkeletonRows label="Loading grants" count={1} height={40} />
      )}
      <Items label="Grants" none="No grants">
        {grants?.map((grant) => (
          <li key={`${grant.subject} ${grant.target}`} className={classes.item}>
            <Text size="sm">{grant.target}</Text>
            <Text size="sm" c="dimmed">
              {grant.level}
              {grant.subject !== subject && ` by ${grant.subject}`}
            </Text>
          </li>
        ))}
      </Items>
      {error !== null && (
        <LoadError title="The grants cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      <Link to="/administration/permissions" search={{ subject: [subject] }}>
        Show in Permissions
      </Link>
    </>
  );
}
