import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { sessionQuery } from '../api/session.ts';
import { SearchIcon } from '../components/icons.tsx';
import { MessagePage } from '../components/message-page.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import { PublicPage } from '../components/public-page.tsx';

const Shell = lazy(async () => ({ default: (await import('../components/shell/shell.tsx')).Shell }));

/** The page for unknown addresses, inside the shell for a signed-in user. */
export function NotFoundPage() {
  const { data: session, isPending } = useQuery(sessionQuery);
  if (isPending) return <PageLoading />;
  if (!session) {
    return (
      <PublicPage>
        <NotFound />
      </PublicPage>
    );
  }
  return (
    <Suspense fallback={<PageLoading />}>
      <Shell>
        <NotFound />
      </Shell>
    </Suspense>
  );
}

function NotFound() {
  return (
    <MessagePage
      icon={<SearchIcon size={24} />}
      title="Page not found"
      text="The address may have a typo, or the page may have moved."
    >
      <Button component={Link} to="/">
        Go to the start page
      </Button>
    </MessagePage>
  );
}
