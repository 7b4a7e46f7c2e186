import { Button, Center, Container, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isAdministrator, type SessionUser } from '../api/session.ts';
import { type ListedToken, tokensQuery } from '../api/tokens.ts';
import { useSession } from '../api/use-session.ts';
import { CreateTokenDialog } from '../components/create-token-dialog.tsx';
import { DeleteTokenDialog } from '../components/delete-token-dialog.tsx';
import { KeyIcon, PlusIcon } from '../components/icons.tsx';
import { LoadError } from '../components/load-error.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { ProfileTabs } from '../components/profile/profile-tabs.tsx';
import { SkeletonRows } from '../components/skeleton-rows.tsx';
import { TokenList } from '../components/token-list.tsx';
import { UserPicker } from '../components/user-picker.tsx';

const route = getRouteApi('/signed-in/profile/tokens');

/** The page of personal access tokens (docs/reference/tokens.md). */
export function TokensPage() {
  const { user } = useSession();
  return <Tokens key={user.user_name} user={user} />;
}

function Tokens({ user }: { readonly user: SessionUser }) {
  const [owner, setOwner] = useState(user.user_name);
  const navigate = route.useNavigate();
  const { create } = route.useSearch();
  const setCreating = (isOpen: boolean) => {
    void navigate({ search: isOpen ? { create: 1 } : {}, replace: true });
  };
  const [tokenToDelete, setTokenToDelete] = useState<ListedToken | null>(null);
  const mayManage = isAdministrator(user);
  return (
    <Container size="lg" py="xl">
      <Stack gap="lg">
        <PageHeader
          title="API keys"
          description="Personal access tokens, with which programs act in your place."
        >
          <Button leftSection={<PlusIcon />} onClick={() => setCreating(true)}>
            Create token
          </Button>
        </PageHeader>
        <ProfileTabs />
        {mayManage && (
          <Group>
            <UserPicker label="Tokens of" value={owner} onChange={setOwner} />
          </Group>
        )}
        <TokensOf
          owner={owner}
          withOwner={mayManage}
          onDelete={setTokenToDelete}
          onCreate={() => setCreating(true)}
        />
      </Stack>
      {create === 1 && (
        <CreateTokenDialog
          owner={owner}
          mayChooseOwner={mayManage}
          onClose={(newOwner) => {
            setCreating(false);
            setOwner(newOwner);
          }}
        />
      )}
      {tokenToDelete !== null && (
        <DeleteTokenDialog token={tokenToDelete} onClose={() => setTokenToDelete(null)} />
      )}
    </Container>
  );
}

interface TokensOfProps {
  readonly owner: string;
  readonly withOwner: boolean;
  readonly onDelete: (token: ListedToken) => void;
  readonly onCreate: () => void;
}

function TokensOf({ owner, withOwner, onDelete, onCreate }: TokensOfProps) {
  const { data: tokens, error, refetch } = useQuery(tokensQuery(owner));
  if (tokens === undefined && error !== null) {
    return <LoadError title="The tokens cannot be shown" error={error} onRetry={() => void refetch()} />;
  }
  if (tokens === undefined) return <SkeletonRows label="Loading tokens" />;
  if (tokens.length === 0) return <NoTokens onCreate={onCreate} />;
  return <TokenList tokens={tokens} withOwner={withOwner} onDelete={onDelete} />;
}

function NoTokens({ onCreate }: { readonly onCreate: () => void }) {
  return (
    <Paper withBorder radius="lg" p={48}>
      <Center>
        <Stack align="center" gap="sm" maw={420} ta="center">
          <ThemeIcon size={56} radius="xl" variant="light">
            <KeyIcon size={28} />
          </ThemeIcon>
          <Title order={2} fz="lg">
            No tokens yet
          </Title>
          <Text c="dimmed" size="sm">
            A program sends a token with each request, instead of a password. Create one for each program, so
            you can revoke it separately.
          </Text>
          <Button mt="xs" onClick={onCreate}>
            Create the first token
          </Button>
        </Stack>
      </Center>
    </Paper>
  );
}
