import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ClosedText } from '../../../api/editor/closed-texts.ts';
import { tablesQuery } from '../../../api/editor/language.ts';
import { useStore } from '../../../api/store.ts';
import { printSelect } from '../../../language/table-names.ts';
import { ItemName } from '../../catalog/item/item-name.tsx';
import type { TextRunner } from '../run/use-runner.ts';
import { getTitle, isQuery } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { listExamples } from './examples.ts';
import classes from './start.module.css';

/** The tables and the recent texts that are offered. */
const MAX_TABLES = 6;
const MAX_RECENT = 5;

interface StartPaneProps {
  readonly workspace: EditorWorkspace;
  readonly runner: TextRunner;
}

/** Below an empty text: tables of the connection, recent texts and examples, which fill the text. */
export function StartPane({ workspace, runner }: StartPaneProps) {
  const { dialect, kind, connection: choice } = runner;
  const connection = choice.name || choice.project || '';
  const { data } = useQuery({ ...tablesQuery(connection), enabled: connection !== '' });
  const recent = useStore(workspace.closed.list).slice(0, MAX_RECENT);
  const tables = data?.data ?? [];
  const insert = (text: string) => workspace.insert(text);
  return (
    <div className={classes.pane}>
      {tables.length > 0 && (
        <Offers title={`Tables of ${connection}`}>
          {tables.slice(0, MAX_TABLES).map((table) => (
            <Offer
              key={JSON.stringify([table.schema, table.name])}
              name={table.name}
              detail={table.columns.map((column) => column.name).join(', ')}
              onChoose={() => insert(printSelect(table, dialect))}
            />
          ))}
        </Offers>
      )}
      {recent.length > 0 && (
        <Offers title="Recent texts">
          {recent.map((closed) => (
            <Recent key={closed.id} workspace={workspace} closed={closed} />
          ))}
        </Offers>
      )}
      {connection !== '' && (
        <Offers title="Examples">
          {listExamples(kind, dialect, tables).map(({ label, text }) => (
            <Offer key={label} name={label} detail="" onChoose={() => insert(text)} />
          ))}
        </Offers>
      )}
    </div>
  );
}

/** A text that was closed. */
function Recent({ workspace, closed }: Pick<StartPaneProps, 'workspace'> & { readonly closed: ClosedText }) {
  const navigate = useNavigate();
  const reopen = () => {
    const key = workspace.reopen(closed.id);
    if (key !== null) void navigate({ to: '/sql/$', params: { _splat: key } });
  };
  const detail = isQuery(closed.key) ? (closed.text ?? '').trim().slice(0, 100) : closed.key;
  return <Offer name={getTitle(closed)} detail={detail} onChoose={reopen} />;
}

function Offers({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Text component="h2" size="sm" fw={500}>
        <ItemName name={title} />
      </Text>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}

interface OfferProps {
  readonly name: string;
  readonly detail: string;
  readonly onChoose: () => void;
}

function Offer({ name, detail, onChoose }: OfferProps) {
  return (
    <li>
      <UnstyledButton className={classes.button} onClick={onChoose}>
        <ItemName name={name} />
        {detail !== '' && (
          <span className={classes.detail}>
            <bdi>{detail}</bdi>
          </span>
        )}
      </UnstyledButton>
    </li>
  );
}
