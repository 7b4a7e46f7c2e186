import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { getName } from '../../api/catalog/catalog-paths.ts';
import { type RunExecution, runQuery } from '../../api/runs/run.ts';
import { runTextQuery } from '../../api/runs/run-text.ts';
import { CatalogLink } from '../../components/catalog/item/catalog-link.tsx';
import { TextView } from '../../components/catalog/view/text-view.tsx';
import { isQuery, toQueryKey } from '../../components/editor/workspace/tab.ts';
import { printRunName } from '../../components/results/run/print-run.ts';
import { RunResults } from '../../components/results/run-results.tsx';
import { OpenInEditor } from '../../components/run-text/open-in-editor.tsx';
import { RunText } from '../../components/run-text/run-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import classes from './run-page.module.css';

const route = getRouteApi('/signed-in/runs/$id');

/** One run at a separate address: its text, its results and its error; it can be run again. */
export function RunPage() {
  const { id } = route.useParams();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(runQuery(id));
  const { data: text, isLoading } = useQuery(runTextQuery(id));
  const results = (
    <RunResults
      key={id}
      runId={id}
      tab={tab}
      onTab={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
    />
  );
  if (isLoading || data === undefined || text == null) {
    return (
      <div className={classes.page}>
        <RunHeader execution={data?.execution ?? null} />
        {!isLoading && results}
      </div>
    );
  }
  const textKey = findKey(text.file);
  return (
    <div className={classes.page}>
      <RunHeader execution={data.execution} text={text} />
      <RunText
        key={id}
        label="Run again"
        textKey={textKey}
        content={text.text}
        block={text.block}
        runId={id}
        connection={data.execution.connection ?? undefined}
        onStarted={(next) => void navigate({ params: { id: next }, search: {} })}
        results={results}
      >
        <TextView name="the run" content={text.text} hasColours />
      </RunText>
    </div>
  );
}

/** A query of the editor, whose number is not known any more. */
const ANY_QUERY = toQueryKey(999_999_999);

/** The key of a text in the editor, by the path that its run has. */
function findKey(file: string | null): string {
  if (file === null) return ANY_QUERY;
  const name = getName(file);
  return file === `@Personal/${name}` && isQuery(name) ? name : file;
}

interface RunHeaderProps {
  readonly execution: RunExecution | null;
  /** The text that ran, if it is known. */
  readonly text?: { readonly file: string | null; readonly text: string };
}

function RunHeader({ execution, text }: RunHeaderProps) {
  const name = execution === null ? 'Run' : printRunName(execution);
  const path = text?.file ?? (name.startsWith('@') ? name : null);
  const textKey = findKey(path);
  const mayOpen = execution !== null && (text !== undefined || path !== null);
  return (
    <div className={classes.head}>
      <title>{`${name} · Quern`}</title>
      <Group justify="space-between" gap="sm">
        <Title order={1} fz={22} className={classes.title}>
          {name}
        </Title>
        {mayOpen && <OpenInEditor runId={execution.id} textKey={textKey} content={text?.text ?? null} />}
      </Group>
      {execution !== null && (
        <Group gap="2px 12px" className={classes.facts}>
          <span>
            Started <TimeText value={execution.requested_at} withTime />
          </span>
          {execution.connection !== null && <Text size="sm">on {execution.connection}</Text>}
          {path !== null && !isQuery(textKey) && (
            <CatalogLink path={path} className={classes.link}>
              Open in the catalog
            </CatalogLink>
          )}
        </Group>
      )}
    </div>
  );
}
