import { Badge, Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  type LoggedRequest,
  loadScimRequests,
  OUTCOME_NAMES,
  type ProvisioningSearch,
  printTarget,
  SCIM_REQUESTS,
} from '../../api/administration/provisioning.ts';
import { useSession } from '../../api/use-session.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import { ProvisioningState } from '../../components/administration/provisioning/provisioning-state.tsx';
import { RequestPanel } from '../../components/administration/provisioning/request-panel.tsx';
import classes from '../../components/administration/row.module.css';
import { PlusIcon, UsersIcon } from '../../components/icons.tsx';
import { CreateTokenDialog } from '../../components/keys/create-token-dialog.tsx';
import { Message } from '../../components/message-page.tsx';
import { ChoiceFilter } from '../../components/table/choice-filter.tsx';
import { DataTable, type ListColumn } from '../../components/table/data-table.tsx';
import { useList } from '../../components/table/use-list.ts';
import { TimeText } from '../../components/time-text.tsx';

const route = getRouteApi('/signed-in/administration/provisioning');

/** What an identity provider needs, and what it has sent, for administrators (docs/reference/scim.md). */
export function ProvisioningPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const change = (changed: ProvisioningSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { q, outcome, request } = search;
  const list = useList({
    key: [SCIM_REQUESTS],
    load: loadScimRequests,
    parameters: { q, outcome },
    toAfter: ({ id }) => id,
  });
  const create = () => change({ create: 1 });
  return (
    <AdministrationPage
      title="Provisioning"
      actions={
        <Button leftSection={<PlusIcon />} onClick={create}>
          Create API key
        </Button>
      }
      panel={
        request !== undefined && <RequestPanel id={request} onClose={() => change({ request: undefined })} />
      }
    >
      <ProvisioningState />
      <DataTable
        label="Requests"
        unit={['request', 'requests']}
        columns={COLUMNS}
        list={list}
        toId={({ id }) => id}
        openId={request}
        onOpen={(id) => change({ request: id }, true)}
        search={{ q }}
        onSearch={(changed) => change({ q: changed.q }, true)}
        filters={
          <ChoiceFilter
            label="Outcome"
            all="All outcomes"
            names={OUTCOME_NAMES}
            value={outcome}
            onChange={(chosen) => change({ outcome: chosen })}
          />
        }
        isFiltered={outcome !== undefined}
        onClear={() => change({ q: undefined, outcome: undefined })}
        empty={
          <Message
            icon={<UsersIcon size={24} />}
            title="No requests yet"
            text="Give an identity provider the SCIM address and an API key: it then creates, changes and disables users and groups."
          />
        }
      />
      {search.create === 1 && (
        <CreateTokenDialog
          owner={user.user_name}
          mayChooseOwner
          scope="scim"
          onClose={() => change({ create: undefined }, true)}
        />
      )}
    </AdministrationPage>
  );
}

const COLUMNS: readonly ListColumn<LoggedRequest>[] = [
  {
    header: 'Request',
    render: (entry) => (
      <Link
        from="/administration/provisioning"
        to="/administration/provisioning"
        search={(before) => ({ ...before, request: entry.id })}
        className={classes.name}
      >
        {printTarget(entry)}
      </Link>
    ),
  },
  { header: 'Outcome', width: 200, render: (entry) => <Outcome entry={entry} /> },
  { header: 'API key', width: 150, isExtra: true, render: ({ token_name }) => token_name ?? 'None' },
  { header: 'Duration', width: 100, isExtra: true, render: ({ duration_ms }) => `${duration_ms} ms` },
  { header: 'Time', width: 180, render: ({ last_at }) => <TimeText value={last_at} withTime /> },
];

function Outcome({ entry: { outcome, status, scim_type, count } }: { readonly entry: LoggedRequest }) {
  if (outcome === 'done') return 'Done';
  const reason =
    outcome === 'refused' ? `${count.toLocaleString()} ×` : [status, scim_type ?? ''].join(' ').trim();
  return (
    <>
      <Badge size="sm" bg="var(--quern-danger-surface)" c="var(--quern-danger-text)">
        {outcome === 'failed' ? 'Failed' : 'Refused'}
      </Badge>{' '}
      {reason}
    </>
  );
}
