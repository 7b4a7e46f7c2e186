import { Badge, Button, Code, Menu, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  AUDIT,
  type AuditSearch,
  auditActionsQuery,
  auditEntryQuery,
  type LoggedAction,
  loadAudit,
  printExportAddress,
  toAuditParameters,
} from '../../api/administration/audit.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import { printAction } from '../../components/administration/audit/print-action.ts';
import classes from '../../components/administration/row.module.css';
import { Facts } from '../../components/facts.tsx';
import { BookIcon, DownloadIcon } from '../../components/icons.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Message } from '../../components/message-page.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { ChoiceFilter } from '../../components/table/choice-filter.tsx';
import { DataTable, type ListColumn } from '../../components/table/data-table.tsx';
import { useList } from '../../components/table/use-list.ts';
import { TimeText } from '../../components/time-text.tsx';

const route = getRouteApi('/signed-in/administration/audit');

/** The audit log, for administrators (docs/reference/audit.md). */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: AuditSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { q, entry, ...filters } = search;
  const list = useList({
    key: [AUDIT],
    load: loadAudit,
    parameters: toAuditParameters(search),
    toAfter: ({ id }) => id,
  });
  return (
    <AdministrationPage
      title="Audit"
      actions={<ExportMenu search={search} />}
      panel={entry !== undefined && <EntryPanel id={entry} onClose={() => change({ entry: undefined })} />}
    >
      <DataTable
        label="Entries"
        unit={['entry', 'entries']}
        columns={COLUMNS}
        list={list}
        toId={({ id }) => id}
        openId={entry}
        onOpen={(id) => change({ entry: id }, true)}
        search={{ q }}
        onSearch={(changed) => change({ q: changed.q }, true)}
        filters={<Filters search={search} onChange={change} />}
        isFiltered={Object.values(filters).some((value) => value !== undefined)}
        onClear={() =>
          change({ q: undefined, actor: undefined, action: undefined, since: undefined, until: undefined })
        }
        empty={
          <Message icon={<BookIcon size={24} />} title="No entries yet" text="Each change adds an entry." />
        }
      />
    </AdministrationPage>
  );
}

function ExportMenu({ search }: { readonly search: AuditSearch }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<DownloadIcon />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={printExportAddress(search, 'csv')} download>
          CSV, for spreadsheets
        </Menu.Item>
        <Menu.Item component="a" href={printExportAddress(search, 'ndjson')} download>
          JSON lines
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface FiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const { data: actions = [] } = useQuery(auditActionsQuery);
  return (
    <>
      <ChoiceFilter
        label="Action"
        all="All actions"
        names={Object.fromEntries(actions.map((action) => [action, action]))}
        value={search.action}
        onChange={(action) => onChange({ action })}
      />
      <DayFilter label="From" value={search.since} onChange={(since) => onChange({ since })} />
      <DayFilter label="To" value={search.until} onChange={(until) => onChange({ until })} />
    </>
  );
}

interface DayFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

function DayFilter({ label, value = '', onChange }: DayFilterProps) {
  return (
    <TextInput
      aria-label={`${label} (day, UTC)`}
      type="date"
      max="9999-12-31"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

const COLUMNS: readonly ListColumn<LoggedAction>[] = [
  {
    header: 'Entry',
    render: (entry) => (
      <Link
        from="/administration/audit"
        to="/administration/audit"
        search={(before) => ({ ...before, entry: entry.id })}
        className={classes.name}
      >
        {printAction(entry)}
      </Link>
    ),
  },
  {
    header: 'Result',
    width: 100,
    isExtra: true,
    render: ({ result }) =>
      result === 'done' ? (
        'Done'
      ) : (
        <Badge size="sm" bg="var(--quern-danger-surface)" c="var(--quern-danger-text)">
          Refused
        </Badge>
      ),
  },
  { header: 'Address', width: 150, isExtra: true, render: ({ address }) => address ?? '' },
  { header: 'Time', width: 180, render: ({ at }) => <TimeText value={at} withTime /> },
];

interface EntryPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** All parts of an entry, also as JSON. */
function EntryPanel({ id, onClose }: EntryPanelProps) {
  const { data: entry, error, refetch } = useQuery(auditEntryQuery(id));
  return (
    <SidePanel title="Entry" onClose={onClose}>
      {entry === undefined && error !== null && (
        <LoadError title="The entry cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {entry === undefined && error === null && <SkeletonRows label="Loading the entry" />}
      {entry === null && (
        <Message icon={<BookIcon size={24} />} title="Not found" text="The log has no entry with this id." />
      )}
      {entry && (
        <Stack gap="lg">
          <Facts
            facts={{
              Time: <TimeText value={entry.at} withTime />,
              Result: entry.result === 'done' ? 'Done' : 'Refused',
              Actor: entry.actor ?? 'Unknown',
              Action: entry.action,
              Object: entry.object ?? 'None',
              Address: entry.address ?? 'The command line',
              'Request id': entry.request_id ?? 'None',
            }}
          />
          <Code block className={classes.json}>
            {JSON.stringify(entry, null, 2)}
          </Code>
        </Stack>
      )}
    </SidePanel>
  );
}
