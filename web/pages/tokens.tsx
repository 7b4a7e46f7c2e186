import { Button } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { KeysSearch } from '../api/administration/keys-search.ts';
import { isAdministrator, type SessionUser } from '../api/session.ts';
import type { ListedToken, NewToken } from '../api/tokens.ts';
import { useSession } from '../api/use-session.ts';
import rowClasses from '../components/administration/row.module.css';
import { PlusIcon } from '../components/icons.tsx';
import { CreateTokenDialog } from '../components/keys/create-token-dialog.tsx';
import { KeyPanel } from '../components/keys/key-panel.tsx';
import { KeyTable } from '../components/keys/key-table.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { ProfileTabs } from '../components/profile/profile-tabs.tsx';
import classes from './tokens.module.css';

const route = getRouteApi('/signed-in/profile/tokens');

/** The user's own API keys (docs/reference/tokens.md). */
export function TokensPage() {
  const { user } = useSession();
  return <Tokens key={user.user_name} user={user} />;
}

function Tokens({ user }: { readonly user: SessionUser }) {
  const { user_name: owner } = user;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const goTo = useNavigate();
  const change = (changed: KeysSearch, replace = false) =>
    navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const finish = async (made: NewToken | undefined) => {
    // Before the page is left, which asks about a token that is still shown.
    await change({ create: undefined }, true);
    if (made === undefined || made.owner === owner) return;
    // The page has no tokens of others.
    await goTo({ to: '/administration/api-keys', search: { key: made.id, owner: made.owner } });
  };
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        <div className={classes.head}>
          <PageHeader
            title="API keys"
            heading="Profile"
            description="With an API key, a program acts in your place."
          >
            <Button leftSection={<PlusIcon />} onClick={() => void change({ create: 1 }, true)}>
              Create API key
            </Button>
          </PageHeader>
          <ProfileTabs />
        </div>
        <KeyTable
          owner={owner}
          search={search}
          onChange={(changed, replace) => void change(changed, replace)}
          renderName={renderName}
        />
      </div>
      {search.key !== undefined && (
        <KeyPanel id={search.key} owner={owner} onClose={() => void change({ key: undefined })} />
      )}
      {search.create === 1 && (
        <CreateTokenDialog
          owner={owner}
          mayChooseOwner={isAdministrator(user)}
          onClose={(made) => void finish(made)}
        />
      )}
    </div>
  );
}

function renderName({ id, name }: ListedToken) {
  return (
    <Link
      from="/profile/tokens"
      to="/profile/tokens"
      search={(before) => ({ ...before, key: id })}
      className={rowClasses.name}
    >
      {name}
    </Link>
  );
}
