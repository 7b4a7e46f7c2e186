import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { serverQuery } from '../../api/administration/server.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import { BackupsSection } from '../../components/administration/server/backups-section.tsx';
import { StateSections } from '../../components/administration/server/state-sections.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';

/** The state of the server, and its backups (docs/guides/server.md#the-state-of-the-server). */
export function ServerPage() {
  return (
    <AdministrationPage title="Server">
      <ServerState />
    </AdministrationPage>
  );
}

function ServerState() {
  const { data: status, error, refetch } = useQuery(serverQuery);
  if (status !== undefined) {
    return (
      <StateSections status={status}>
        <BackupsSection />
      </StateSections>
    );
  }
  return (
    <Box px="lg">
      {error === null ? (
        <SkeletonRows label="Loading the state of the server" count={6} />
      ) : (
        <LoadError
          title="The state of the server cannot be shown"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
    </Box>
  );
}
