import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Loader,
  Popover,
  Stack,
  Text,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { liveRunsQuery, type RunExecution, stopRun } from '../../api/runs/run.ts';
import { ItemName } from '../catalog/item/item-name.tsx';
import { ErrorAlert } from '../error-alert.tsx';
import { StopIcon } from '../icons.tsx';
import { printRunName } from '../results/run/print-run.ts';
import { TimeText } from '../time-text.tsx';
import classes from './shell.module.css';

/** The number of the user's runs that have not ended, with a list that links and stops them; nothing without one. */
export function LiveRuns() {
  const { data: runs = [] } = useQuery(liveRunsQuery);
  if (runs.length === 0) return null;
  return (
    <Popover position="bottom-end" width={340} shadow="md" trapFocus>
      <Popover.Target>
        <Button size="compact-md" variant="default" leftSection={<Loader size={12} />} flex="none">
          {runs.length}
          <Text component="span" inherit visibleFrom="sm">
            &nbsp;running
          </Text>
          <VisuallyHidden hiddenFrom="sm"> running</VisuallyHidden>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" component="ul" className={classes.runs} aria-label="Your runs">
          {runs.map((run) => (
            <LiveRun key={run.id} run={run} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function LiveRun({ run }: { readonly run: RunExecution }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => stopRun(client, run.id),
    onSettled: () => client.invalidateQueries(liveRunsQuery),
  });
  const name = printRunName(run);
  return (
    <li>
      <Group wrap="nowrap" gap="xs">
        <div className={classes.run}>
          <Link to="/runs/$id" params={{ id: run.id }} search={{}} className={classes.runName} title={name}>
            <ItemName name={name} />
          </Link>
          <Text size="xs" c="dimmed">
            {run.connection} · since <TimeText value={run.requested_at} withTime />
          </Text>
        </div>
        {run.state === 'queued' && <Badge variant="default">Waiting</Badge>}
        <Tooltip label="Stop">
          <ActionIcon
            variant="default"
            aria-label={`Stop ${name}`}
            loading={isPending}
            onClick={() => mutate()}
          >
            <StopIcon size={14} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {error !== null && <ErrorAlert title="The run was not stopped" error={error} />}
    </li>
  );
}
