import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { subjectGrantsQuery } from '../../../api/catalog/catalog-grants.ts';
import { LoadError } from '../../load-error.tsx';
import { SidePanel } from '../../side-panel.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { Items } from '../panel-parts.tsx';
import classes from '../row.module.css';
import { GrantLink } from './grant-link.tsx';

const EVERYONE = 'everyone';

/** The grants of everyone, each with a link to it. */
export function EveryonePanel({ onClose }: { readonly onClose: () => void }) {
  const { data, error, refetch } = useQuery(subjectGrantsQuery(EVERYONE));
  return (
    <SidePanel title="What everyone can see" onClose={onClose}>
      <Stack gap="lg">
        <Text size="sm">
          Each user has these levels here and below, except where an item is restricted. The role VIEWER
          allows at most VIEW, and READ on connections.
        </Text>
        {error !== null && (
          <LoadError title="The grants cannot be shown" error={error} onRetry={() => void refetch()} />
        )}
        {data === undefined && error === null && <SkeletonRows label="Loading the grants" height={40} />}
        <Items label="Grants" none="Nothing is granted to everyone.">
          {data?.map(({ target, level }) => (
            <li key={target} className={classes.item}>
              <GrantLink subject={EVERYONE} target={target}>
                {target}
              </GrantLink>
              <Text size="sm" c="dimmed">
                {level}
              </Text>
            </li>
          ))}
        </Items>
      </Stack>
    </SidePanel>
  );
}
