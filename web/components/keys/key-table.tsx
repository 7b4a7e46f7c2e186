import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { EXPIRING, type KeysSearch, toKeysParameters, UNUSED } from '../../api/administration/keys-search.ts';
import { ALL_OWNERS, type ListedToken, loadTokens, TOKENS } from '../../api/tokens.ts';
import { KeyIcon } from '../icons.tsx';
import { Message } from '../message-page.tsx';
import { ChoiceFilter } from '../table/choice-filter.tsx';
import { DataTable, type ListColumn } from '../table/data-table.tsx';
import { useList } from '../table/use-list.ts';
import { TokenEnds, TokenExpiry, TokenUse } from './token-facts.tsx';

interface KeyTableProps {
  /** A user name, or `*` for all users. */
  readonly owner: string;
  readonly search: KeysSearch;
  readonly onChange: (change: KeysSearch, replace?: boolean) => void;
  /** The name of an API key, as a link that opens its panel. */
  readonly renderName: (token: ListedToken) => ReactNode;
}

/** The API keys of a user or of all users (docs/reference/tokens.md), by owner and name. */
export function KeyTable({ owner, search, onChange, renderName }: KeyTableProps) {
  const { q, unused, expires, key } = search;
  const today = useMemo(() => new Date(), []);
  const parameters = useMemo(
    () => toKeysParameters({ q, unused, expires }, today),
    [q, unused, expires, today],
  );
  const load = useMemo(() => loadTokens(owner), [owner]);
  const list = useList({ key: [TOKENS, owner], load, parameters, toAfter: ({ id }) => id });
  const isOfAll = owner === ALL_OWNERS;
  const open = (id: string) => {
    const row = list.rows?.find((token) => token.id === id);
    onChange({ key: id, owner: isOfAll ? row?.owner : undefined }, true);
  };
  return (
    <DataTable
      label="API keys"
      unit={['API key', 'API keys']}
      columns={useMemo(() => createColumns(renderName, isOfAll), [renderName, isOfAll])}
      list={list}
      toId={({ id }) => id}
      openId={key}
      onOpen={open}
      search={{ q }}
      onSearch={(changed) => onChange({ q: changed.q }, true)}
      filters={<Filters search={search} onChange={onChange} />}
      isFiltered={unused !== undefined || expires !== undefined}
      onClear={() => onChange({ q: undefined, unused: undefined, expires: undefined })}
      empty={
        <Message
          icon={<KeyIcon size={24} />}
          title="No API keys yet"
          text="A program sends an API key with each request, instead of a password. Create one for each program, so you can delete it separately."
        >
          <Button onClick={() => onChange({ create: 1 })}>Create the first API key</Button>
        </Message>
      }
    />
  );
}

function Filters({ search, onChange }: Pick<KeyTableProps, 'search' | 'onChange'>) {
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

function createColumns(
  renderName: KeyTableProps['renderName'],
  withOwner: boolean,
): readonly ListColumn<ListedToken>[] {
  const owner: ListColumn<ListedToken> = { header: 'Owner', render: (token) => token.owner };
  return [
    { header: 'Name', render: renderName },
    ...(withOwner ? [owner] : []),
    { header: 'Scope', width: 90, isExtra: true, render: ({ scope }) => scope },
    { header: 'API key', width: 170, isExtra: true, render: (token) => <TokenEnds token={token} /> },
    { header: 'Expires', width: 140, render: (token) => <TokenExpiry token={token} /> },
    { header: 'Last used', width: 150, isExtra: true, render: (token) => <TokenUse token={token} /> },
  ];
}
