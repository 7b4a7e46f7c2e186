import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type RunExecution, runQuery } from '../../api/runs/run.ts';
import { CatalogLink } from '../../components/catalog/item/catalog-link.tsx';
import { printRunName } from '../../components/results/run/print-run.ts';
import { RunResults } from '../../components/results/run-results.tsx';
import { TimeText } from '../../components/time-text.tsx';
import classes from './run-page.module.css';

const route = getRouteApi('/signed-in/runs/$id');

/** One run, at its own address. */
export function RunPage() {
  const { id } = route.useParams();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(runQuery(id));
  return (
    <div className={classes.page}>
      <RunHeader execution={data?.execution ?? null} />
      <RunResults
        key={id}
        runId={id}
        tab={tab}
        onTab={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
      />
    </div>
  );
}

function RunHeader({ execution }: { readonly execution: RunExecution | null }) {
  const name = execution === null ? 'Run' : printRunName(execution);
  return (
    <div className={classes.head}>
      <title>{`${name} · Quern`}</title>
      <Title order={1} fz={22} className={classes.title}>
        {name}
      </Title>
      {execution !== null && (
        <Group gap="2px 12px" className={classes.facts}>
          <span>
            Started <TimeText value={execution.requested_at} withTime />
          </span>
          {execution.connection !== null && <Text size="sm">on {execution.connection}</Text>}
          {name.startsWith('@') && (
            <CatalogLink path={name} className={classes.link}>
              Open in the catalog
            </CatalogLink>
          )}
        </Group>
      )}
    </div>
  );
}
