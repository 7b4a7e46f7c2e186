import {
  Alert,
  Button,
  FileButton,
  Group,
  NativeSelect,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  applySamlMetadata,
  compareSamlMetadata,
  type ProviderDifference,
  refreshSamlMetadata,
  type SamlSettingsChange,
  type StoredSaml,
} from '../../../api/administration/single-sign-on.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { Facts } from '../../facts.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { UploadIcon } from '../../icons.tsx';
import { notify } from '../../notify.ts';
import { TimeText } from '../../time-text.tsx';
import { Step } from './step.tsx';
import { useSamlChange } from './use-saml-change.ts';

interface TheirSideProps {
  readonly saml: StoredSaml | null;
}

/** The metadata of the identity provider: from a file or a URL. Its values are read only. */
export function TheirSide({ saml }: TheirSideProps) {
  return (
    <Step
      title="2. Identity provider"
      description="Upload its metadata, or name their URL. The values are read from them."
      state={saml === null ? 'to do' : 'done'}
    >
      {saml !== null && <ProviderFacts saml={saml} />}
      {saml?.pending_metadata != null && (
        <PendingMetadata pending={saml.pending_metadata} key={saml.pending_metadata.digest} />
      )}
      <MetadataForm saml={saml} />
      {saml?.metadata_url != null && <Refresh saml={saml} />}
      {saml !== null && <Signing saml={saml} />}
    </Step>
  );
}

function ProviderFacts({ saml }: { readonly saml: StoredSaml }) {
  const { identity_provider: provider, metadata_url, metadata_read_at, metadata_failure } = saml;
  return (
    <Stack gap="sm">
      <Facts
        facts={{
          'Entity ID': provider.entity_id,
          'Sign-on URL': provider.sign_on_url,
          'Logout URL': provider.logout_url ?? 'None',
          Metadata: metadata_url ?? 'Uploaded',
          Read: <TimeText value={metadata_read_at} withTime />,
          ...Object.fromEntries(
            provider.certificates.map(({ fingerprint, not_after }, index) => [
              `Certificate ${index + 1}`,
              <span key={fingerprint}>
                until <TimeText value={not_after} />, SHA-256 {fingerprint}
              </span>,
            ]),
          ),
        }}
      />
      {metadata_failure !== null && (
        <Alert color="grain" variant="light" title="The metadata could not be read again">
          {metadata_failure}
        </Alert>
      )}
    </Stack>
  );
}

const FIELDS: Readonly<Record<string, string>> = {
  entity_id: 'Entity ID',
  sign_on_redirect_url: 'Sign-on URL (redirect)',
  sign_on_post_url: 'Sign-on URL (POST)',
  logout_redirect_url: 'Logout URL (redirect)',
  logout_post_url: 'Logout URL (POST)',
  wants_signed_requests: 'Wants signed requests',
  certificate: 'Certificate',
};

/** Changed metadata that wait for a decision, as differences. */
function PendingMetadata({ pending }: { readonly pending: NonNullable<StoredSaml['pending_metadata']> }) {
  const client = useQueryClient();
  const apply = useMutation({
    mutationFn: () => applySamlMetadata(client, pending.digest),
    onSuccess: () => notify('Applied the changed metadata'),
  });
  return (
    <Alert color="grain" variant="light" title="The metadata at the URL have changed">
      <Stack gap="sm" align="flex-start">
        <DifferenceList differences={pending.differences} />
        <Button size="xs" loading={apply.isPending} onClick={() => apply.mutate()}>
          Apply the change
        </Button>
        {apply.error !== null && <ErrorAlert title="The change was not applied" error={apply.error} />}
      </Stack>
    </Alert>
  );
}

function DifferenceList({ differences }: { readonly differences: readonly ProviderDifference[] }) {
  return (
    <ul aria-label="Differences">
      {differences.map(({ field, before, after }) => (
        <li key={`${field} ${before} ${after}`}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {FIELDS[field] ?? field}: {before ?? 'none'} → {after ?? 'none'}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** Metadata as a text, or their URL. */
type Metadata = Pick<SamlSettingsChange, 'metadata' | 'metadata_url'>;

function MetadataForm({ saml }: TheirSideProps) {
  const client = useQueryClient();
  const change = useSamlChange('Stored the metadata of the identity provider');
  const comparison = useMutation({
    mutationFn: (metadata: Metadata) => compareSamlMetadata(client, metadata),
    onSuccess: ({ differences }, metadata) => {
      if (differences.length === 0) change.mutate(metadata);
    },
  });
  const [url, setUrl] = useState(saml?.metadata_url ?? '');
  const store = (metadata: Metadata) => {
    change.reset();
    if (saml === null) change.mutate(metadata);
    else comparison.mutate(metadata);
  };
  const upload = async (file: File | null) => {
    if (file !== null) store({ metadata: await file.text() });
  };
  const isPending = change.isPending || comparison.isPending;
  const error = change.error ?? comparison.error;
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          store({ metadata_url: url.trim() });
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            label="URL of its metadata"
            placeholder="https://idp.example.org/metadata"
            type="url"
            required
            autoComplete="off"
            spellCheck={false}
            style={{ flex: 1 }}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={isPending}>
            Read the URL
          </Button>
          <FileButton accept=".xml,application/xml,text/xml,application/samlmetadata+xml" onChange={upload}>
            {(button) => (
              <Button {...button} variant="default" leftSection={<UploadIcon />} disabled={isPending}>
                Upload a file
              </Button>
            )}
          </FileButton>
        </Group>
      </form>
      {comparison.data !== undefined && comparison.data.differences.length > 0 && (
        <FormDialog
          title="Replace the metadata?"
          submitLabel="Replace the metadata"
          onSubmit={() => change.mutate(comparison.variables, { onSuccess: () => comparison.reset() })}
          onClose={() => comparison.reset()}
          isPending={change.isPending}
        >
          <Text size="sm">The new metadata differ from those in use.</Text>
          <DifferenceList differences={comparison.data.differences} />
        </FormDialog>
      )}
      {error !== null && <ErrorAlert title="The metadata were not stored" error={error} />}
    </>
  );
}

const REFRESHES: Readonly<Record<StoredSaml['metadata_refresh'], string>> = {
  off: 'Not read again',
  review: 'Read daily; an administrator applies changes',
  apply: 'Read daily; changes are applied at once',
};

function Refresh({ saml }: { readonly saml: StoredSaml }) {
  const client = useQueryClient();
  const change = useSamlChange('Changed how the metadata are read');
  const refresh = useMutation({
    mutationFn: () => refreshSamlMetadata(client),
    onSuccess: () => notify('Read the metadata again'),
  });
  const failed = change.error ?? refresh.error;
  return (
    <>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="The URL later"
          data={Object.entries(REFRESHES).map(([value, label]) => ({ value, label }))}
          value={saml.metadata_refresh}
          onChange={({ currentTarget: { value } }) => {
            const mode = (['off', 'review', 'apply'] as const).find((one) => one === value);
            if (mode !== undefined) change.mutate({ metadata_refresh: mode });
          }}
        />
        <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
          Read it now
        </Button>
      </Group>
      {failed !== null && <ErrorAlert title="The metadata were not read" error={failed} />}
    </>
  );
}

function Signing({ saml }: { readonly saml: StoredSaml }) {
  const change = useSamlChange('Changed whether requests are signed');
  const isWanted = saml.identity_provider.wants_signed_requests;
  return (
    <>
      <Switch
        label="Sign the requests to it"
        description={isWanted ? 'Its metadata require it' : 'Its metadata do not require it'}
        checked={isWanted || saml.sign_requests}
        disabled={isWanted || change.isPending}
        onChange={(event) => change.mutate({ sign_requests: event.currentTarget.checked })}
      />
      {change.error !== null && <ErrorAlert title="The setting was not changed" error={change.error} />}
    </>
  );
}
