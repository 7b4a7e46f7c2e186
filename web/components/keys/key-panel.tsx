import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isAdministrator } from '../../api/session.ts';
import { tokenQuery } from '../../api/tokens.ts';
import { useSession } from '../../api/use-session.ts';
import { Facts } from '../facts.tsx';
import { LoadError } from '../load-error.tsx';
import { SidePanel } from '../side-panel.tsx';
import { SkeletonRows } from '../skeleton-rows.tsx';
import { TimeText } from '../time-text.tsx';
import { DeleteTokenDialog } from './delete-token-dialog.tsx';
import { TokenEnds, TokenExpiry, TokenUse } from './token-facts.tsx';

interface KeyPanelProps {
  readonly id: string;
  /** A user name. */
  readonly owner: string;
  readonly onClose: () => void;
}

/** An API key, which can be deleted. */
export function KeyPanel({ id, owner, onClose }: KeyPanelProps) {
  const { user } = useSession();
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
              Owner: isAdministrator(user) ? (
                <Link to="/administration/users" search={{ user: token.owner }}>
                  {token.owner}
                </Link>
              ) : (
                token.owner
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
