import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { EXPIRING, type KeysSearch, toKeysParameters, UNUSED } from '../../api/administration/keys-search.ts';
import { type ListedToken, loadAllTokens, TOKENS, tokenQuery } from '../../api/tokens.ts';
import { useSession } from '../../api/use-session.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import { ChoiceFilter } from '../../components/administration/choice-filter.tsx';
import classes from '../../components/administration/row.module.css';
import { CreateTokenDialog } from '../../components/create-token-dialog.tsx';
import { DeleteTokenDialog } from '../../components/delete-token-dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { KeyIcon, PlusIcon } from '../../components/icons.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Message } from '../../components/message-page.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { DataTable, type ListColumn } from '../../components/table/data-table.tsx';
import { useList } from '../../components/table/use-list.ts';
import { TimeText } from '../../components/time-text.tsx';
import { TokenEnds, TokenExpiry, TokenUse } from '../../components/token-facts.tsx';

const route = getRouteApi('/signed-in/administration/api-keys');

/** The API keys of all users, for administrators (docs/reference/tokens.md). */
export function KeysPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const change = (changed: KeysSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { q, unused, expires, key, owner } = search;
  const today = useMemo(() => new Date(), []);
  const parameters = useMemo(
    () => toKeysParameters({ q, unused, expires }, today),
    [q, unused, expires, today],
  );
  const list = useList({ key: [TOKENS], load: loadAllTokens, parameters, toAfter: ({ id }) => id });
  const create = () => change({ create: 1 });
  return (
    <AdministrationPage
      title="API keys"
      actions={
        <Button leftSection={<PlusIcon />} onClick={create}>
          Create API key
        </Button>
      }
      panel={
        key !== undefined &&
        owner !== undefined && (
          <KeyPanel id={key} owner={owner} onClose={() => change({ key: undefined, owner: undefined })} />
        )
      }
    >
      <DataTable
        label="API keys"
        unit={['API key', 'API keys']}
        columns={COLUMNS}
        list={list}
        toId={({ id }) => id}
        openId={key}
        onOpen={(id) =>
          change({ key: id, owner: list.rows?.find((token) => token.id === id)?.owner ?? owner }, true)
        }
        search={{ q }}
        onSearch={(changed) => change({ q: changed.q }, true)}
        filters={<Filters search={search} onChange={change} />}
        isFiltered={unused !== undefined || expires !== undefined}
        onClear={() => change({ q: undefined, unused: undefined, expires: undefined })}
        empty={
          <Message
            icon={<KeyIcon size={24} />}
            title="No API keys yet"
            text="A program sends an API key with each request, instead of a password."
          >
            <Button onClick={create}>Create the first API key</Button>
          </Message>
        }
      />
      {search.create === 1 && (
        <CreateTokenDialog
          owner={user.user_name}
          mayChooseOwner
          onClose={() => change({ create: undefined }, true)}
        />
      )}
    </AdministrationPage>
  );
}

interface FiltersProps {
  readonly search: KeysSearch;
  readonly onChange: (change: KeysSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  return (
    <>
      <ChoiceFilter
        label="Last use"
        all="Used or not"
        names={UNUSED}
        value={search.unused}
        onChange={(unused) => onChange({ unused })}
      />
      <ChoiceFilter
        label="Expiry"
        all="Any expiry"
        names={EXPIRING}
        value={search.expires}
        onChange={(expires) => onChange({ expires })}
      />
    </>
  );
}

const COLUMNS: readonly ListColumn<ListedToken>[] = [
  {
    header: 'Name',
    render: ({ id, name, owner }) => (
      <Link
        from="/administration/api-keys"
        to="/administration/api-keys"
        search={(before) => ({ ...before, key: id, owner })}
        className={classes.name}
      >
        <span className={classes.strong}>{name}</span>
      </Link>
    ),
  },
  { header: 'Owner', render: ({ owner }) => owner },
  { header: 'Scope', width: 90, isExtra: true, render: ({ scope }) => scope },
  { header: 'API key', width: 170, isExtra: true, render: (token) => <TokenEnds token={token} /> },
  { header: 'Expires', width: 140, render: (token) => <TokenExpiry token={token} /> },
  { header: 'Last used', width: 130, isExtra: true, render: (token) => <TokenUse token={token} /> },
];

interface KeyPanelProps {
  readonly id: string;
  /** A user name. */
  readonly owner: string;
  readonly onClose: () => void;
}

/** An API key, which can be deleted. */
function KeyPanel({ id, owner, onClose }: KeyPanelProps) {
  const { data: token, error, refetch } = useQuery(tokenQuery(owner, id));
  const [isDeleting, setDeleting] = useState(false);
  return (
    <SidePanel title={token?.name ?? 'API key'} onClose={onClose}>
      {token === undefined && error !== null && (
        <LoadError title="The API key cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {token === undefined && error === null && <SkeletonRows label="Loading the API key" />}
      {token !== undefined && (
        <Stack gap="lg" align="flex-start" key={id}>
          <Facts
            facts={{
              Owner: (
                <Link to="/administration/users" search={{ user: token.owner }}>
                  {token.owner}
                </Link>
              ),
              'Created by': token.creator ?? 'A deleted user',
              'API key': <TokenEnds token={token} />,
              Scope: token.scope,
              Description: token.description || 'None',
              Created: <TimeText value={token.created_at} withTime />,
              Expires: <TokenExpiry token={token} />,
              'Last used': <TokenUse token={token} />,
            }}
          />
          <Button color="red" onClick={() => setDeleting(true)}>
            Delete
          </Button>
          {isDeleting && (
            <DeleteTokenDialog token={token} onClose={() => setDeleting(false)} onDeleted={onClose} />
          )}
        </Stack>
      )}
    </SidePanel>
  );
}
