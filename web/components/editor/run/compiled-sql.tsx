import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { compiledQuery, type StepResponse } from '../../../api/editor/compile-script.ts';
import { ApiError } from '../../../api/request.ts';
import { showDirections } from '../../catalog/item/show-directions.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { CopyIcon } from '../../icons.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import type { Tab } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { toParams } from './parameter-values.ts';
import { placeText } from './place.ts';
import type { TextRunner } from './use-runner.ts';

interface CompiledSqlProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  readonly runner: TextRunner;
}

/**
 * The SQL to which the text of a tab compiles, with the values of the page: again after each check of the text, which is an
 * update of the runner.
 */
export function CompiledSql({ workspace, tab, runner }: CompiledSqlProps) {
  const { parameters, values, connection } = runner;
  const client = useQueryClient();
  const compilation = {
    placed: placeText(tab.key, workspace.getState(tab.id)?.doc.toString() ?? ''),
    params: toParams(parameters, values),
    connection: connection.name,
  };
  const { data: steps, error } = useQuery({
    ...compiledQuery(client, compilation),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      {error !== null && <Failure error={error} />}
      {error === null && steps === undefined && (
        <SkeletonRows label="Compiling the text" count={4} height={20} />
      )}
      {error === null && steps !== undefined && <Steps steps={steps} />}
    </>
  );
}

/** Errors of the text, with the lines around them; or why the server did not compile it. */
function Failure({ error }: { readonly error: Error }) {
  const isOfText = error instanceof ApiError && error.status === 422;
  if (!isOfText) return <ErrorAlert title="The text was not compiled" error={error} />;
  return (
    <Stack role="alert" gap="xs">
      <Text>The text has errors.</Text>
      <Sql text={error.message} />
    </Stack>
  );
}

function Steps({ steps }: { readonly steps: readonly StepResponse[] }) {
  if (steps.length === 0) return <Text c="dimmed">The text has no statement.</Text>;
  return (
    <Stack>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          What a run sends to the database, in this order.
        </Text>
        <CopyButton value={steps.map(printSql).join(';\n\n')} timeout={2_000}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              flex="none"
              leftSection={<CopyIcon size={14} />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity
        <Stack key={index} gap={4}>
          {step.call !== '' && (
            <Text size="xs" c="dimmed">
              {step.call}
              {step.relation !== null && `, as ${step.relation}`}
            </Text>
          )}
          <Sql text={printSql(step)} />
        </Stack>
      ))}
    </Stack>
  );
}

function Sql({ text }: { readonly text: string }) {
  return (
    <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {showDirections(text)}
    </Code>
  );
}

function printSql({ lines }: StepResponse): string {
  return lines.map(({ text }) => text).join('\n');
}
