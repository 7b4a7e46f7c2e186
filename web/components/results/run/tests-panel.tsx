import { ScrollArea, Stack, Table, Text } from '@mantine/core';
import type { RecordedTest } from '../../../api/runs/run.ts';
import { printCounted } from '../../catalog/view/print-size.ts';
import { CheckIcon, ErrorIcon } from '../../icons.tsx';
import { MessageLine } from './message-line.tsx';
import { printDuration } from './print-run.ts';
import classes from './run.module.css';
import { Place } from './run-diagnostic.tsx';
import { Diagnostics } from './run-error.tsx';

/** The number of failed tests. */
export function countFailed(tests: readonly RecordedTest[]): number {
  return tests.filter(({ status }) => status === 'FAILED').length;
}

/** The results of tests, failed ones first. */
export function TestsPanel({ tests }: { readonly tests: readonly RecordedTest[] }) {
  const failed = countFailed(tests);
  const sorted = tests.toSorted((one, other) => Number(isFailed(other)) - Number(isFailed(one)));
  return (
    <Stack
      component="section"
      gap="sm"
      p="md"
      className={classes.scrolled}
      tabIndex={0}
      aria-label="Test results"
    >
      <Text size="sm" fw={600}>
        {tests.length === 0
          ? 'No tests ran'
          : `${printCounted(tests.length, 'test')}: ${tests.length - failed} passed, ${failed} failed`}
      </Text>
      <ul className={classes.tests} aria-label="Tests">
        {sorted.map((test) => (
          <li key={`${test.file}:${test.line}:${test.package_name}:${test.test_name}`}>
            <Test test={test} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function isFailed({ status }: RecordedTest): boolean {
  return status === 'FAILED';
}

function Test({ test }: { readonly test: RecordedTest }) {
  const hasFailed = isFailed(test);
  return (
    <MessageLine
      icon={hasFailed ? <ErrorIcon size={16} /> : <CheckIcon size={16} />}
      kind={hasFailed ? 'danger' : 'success'}
    >
      <Text size="sm" className={classes.message}>
        <strong>{test.test_name}</strong> {hasFailed ? 'failed' : 'passed'} in{' '}
        {printDuration(test.duration_ms)}
      </Text>
      <Text size="xs" c="dimmed" className={classes.message}>
        <Place file={test.file} line={test.line} column={test.column} />
      </Text>
      {hasFailed && <Reason test={test} />}
    </MessageLine>
  );
}

function Reason({ test: { message, diagnostics, sample, test_name } }: { readonly test: RecordedTest }) {
  return (
    <Stack gap="xs" mt={4}>
      {diagnostics.length > 0 ? (
        <Diagnostics diagnostics={diagnostics} />
      ) : (
        <Text size="sm" className={classes.message}>
          {message}
        </Text>
      )}
      {sample !== null && (
        <ScrollArea.Autosize
          mah={240}
          type="auto"
          viewportProps={{ tabIndex: 0, 'aria-label': `Rows of ${test_name}` }}
        >
          <Table withTableBorder className={classes.sample} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                {sample.columns.map((name, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: names can repeat
                  <Table.Th key={i}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sample.rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
                <Table.Tr key={at}>
                  {row.map((text, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity
                    <Table.Td key={i} data-null={text === null || undefined}>
                      {text ?? 'NULL'}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}
