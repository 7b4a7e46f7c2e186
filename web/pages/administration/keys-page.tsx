import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { KeysSearch } from '../../api/administration/keys-search.ts';
import { ALL_OWNERS, type ListedToken } from '../../api/tokens.ts';
import { useSession } from '../../api/use-session.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import classes from '../../components/administration/row.module.css';
import { PlusIcon } from '../../components/icons.tsx';
import { CreateTokenDialog } from '../../components/keys/create-token-dialog.tsx';
import { KeyPanel } from '../../components/keys/key-panel.tsx';
import { KeyTable } from '../../components/keys/key-table.tsx';

const route = getRouteApi('/signed-in/administration/api-keys');

/** The API keys of all users, for administrators (docs/reference/tokens.md). */
export function KeysPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const change = (changed: KeysSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { key, owner } = search;
  return (
    <AdministrationPage
      title="API keys"
      actions={
        <Button leftSection={<PlusIcon />} onClick={() => change({ create: 1 })}>
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
      <KeyTable owner={ALL_OWNERS} search={search} onChange={change} renderName={renderName} />
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

function renderName({ id, name, owner }: ListedToken) {
  return (
    <Link
      from="/administration/api-keys"
      to="/administration/api-keys"
      search={(before) => ({ ...before, key: id, owner })}
      className={classes.name}
    >
      {name}
    </Link>
  );
}
