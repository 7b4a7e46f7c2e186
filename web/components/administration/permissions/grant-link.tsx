import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import classes from '../row.module.css';
import { CONNECTIONS } from './matrix.tsx';

interface GrantLinkProps {
  readonly subject: string;
  readonly target: string;
  readonly children: string;
}

/** Leads to a grant: the matrix with its subject and its target. Where the panel covers the matrix, it is closed. */
export function GrantLink({ subject, target, children }: GrantLinkProps) {
  const isWide = useMediaQuery('(min-width: 1000px)', true, { getInitialValueInEffect: false });
  const under = target.startsWith('connection:') ? CONNECTIONS : target;
  return (
    <Link
      from="/administration/permissions"
      to="/administration/permissions"
      search={({ subject: before = ['everyone'], show, ...others }) => ({
        ...others,
        show: isWide ? show : undefined,
        subject: before.includes(subject) ? before : [...before, subject],
        under,
        open: undefined,
      })}
      className={classes.name}
    >
      <Text size="sm" span td="underline">
        {children}
      </Text>
    </Link>
  );
}
