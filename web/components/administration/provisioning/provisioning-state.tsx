import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lastScimRequestQuery, OUTCOME_NAMES } from '../../../api/administration/provisioning.ts';
import { serverQuery } from '../../../api/administration/server.ts';
import { CopyField } from '../../copy-field.tsx';
import { TimeText } from '../../time-text.tsx';
import classes from './provisioning.module.css';

/** The path of provisioning below the address of the server (docs/reference/scim.md#routes). */
const SCIM_PATH = '/api/v1/scim/v2';

/** What an identity provider needs, and when it was last here. */
export function ProvisioningState() {
  return (
    <div className={classes.state}>
      <ScimAddress />
      <LastRequest />
    </div>
  );
}

/** The address for the identity provider, as the server prints it in its responses. */
function ScimAddress() {
  const { data: server, error } = useQuery(serverQuery);
  if (server === undefined && error === null) {
    return (
      <Skeleton height={60} className={classes.address} role="status" aria-label="Loading the address" />
    );
  }
  const address = `${server?.address ?? window.location.origin}${SCIM_PATH}`;
  return <CopyField label="SCIM address" className={classes.address} value={address} />;
}

function LastRequest() {
  const { data: last, error } = useQuery(lastScimRequestQuery);
  // The list shows why it could not be loaded.
  if (error !== null) return null;
  if (last === undefined) {
    return <Skeleton height={20} width={220} role="status" aria-label="Loading the last request" />;
  }
  return (
    <Text component="div" size="sm" c="dimmed" role="status" className={classes.last}>
      {last === null ? (
        'No request with a valid API key yet'
      ) : (
        <span>
          Last request <TimeText value={last.last_at} isRelative />,{' '}
          {OUTCOME_NAMES[last.outcome].toLowerCase()}
        </span>
      )}
    </Text>
  );
}
