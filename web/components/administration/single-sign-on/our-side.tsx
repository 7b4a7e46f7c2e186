import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { loadSamlCertificate, type StoredSaml } from '../../../api/administration/single-sign-on.ts';
import { CopyField } from '../../copy-field.tsx';
import { ErrorAlert } from '../../error-alert.tsx';
import { DownloadIcon } from '../../icons.tsx';
import { Step } from './step.tsx';
import { useSamlChange } from './use-saml-change.ts';

/** The paths of the endpoints that an identity provider knows (docs/reference/saml.md#endpoints). */
const CALLBACK = '/api/saml2/callback';
const LOGOUT = `${CALLBACK}?client_name=SAML2Client&logoutendpoint=true`;

interface OurSideProps {
  readonly saml: StoredSaml | null;
  /** The address of this server, without a slash at its end. */
  readonly baseUrl: string;
}

/** What the identity provider needs to know of this server. */
export function OurSide({ saml, baseUrl }: OurSideProps) {
  return (
    <Step
      title="1. This server"
      description="Give these values to the identity provider."
      state="done"
      stateText="ready"
    >
      {saml === null ? (
        <CopyField label="Entity ID" value={baseUrl} />
      ) : (
        <EntityId saml={saml} baseUrl={baseUrl} />
      )}
      <CopyField label="Callback URL" value={saml?.callback_url ?? `${baseUrl}${CALLBACK}`} />
      <CopyField label="Logout URL" value={saml?.logout_url ?? `${baseUrl}${LOGOUT}`} />
      {saml !== null && <Files />}
    </Step>
  );
}

function EntityId({ saml, baseUrl }: { readonly saml: StoredSaml; readonly baseUrl: string }) {
  const change = useSamlChange('Changed the entity ID');
  const [text, setText] = useState(saml.entity_id === baseUrl ? '' : saml.entity_id);
  const isChanged = (text.trim() || baseUrl) !== saml.entity_id;
  return (
    <>
      <CopyField label="Entity ID" value={saml.entity_id} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ entity_id: text.trim() || null });
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Another entity ID"
            description="Only if the identity provider prescribes one"
            placeholder={baseUrl}
            maxLength={1024}
            autoComplete="off"
            spellCheck={false}
            style={{ flex: 1 }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={!isChanged} loading={change.isPending}>
            Change
          </Button>
        </Group>
      </form>
      {change.error !== null && <ErrorAlert title="The entity ID was not changed" error={change.error} />}
    </>
  );
}

/** The metadata of this server and its certificate, as files. */
function Files() {
  const client = useQueryClient();
  const download = useMutation({
    mutationFn: () => loadSamlCertificate(client),
    onSuccess: (text) => saveFile('quern-certificate.pem', text),
  });
  return (
    <>
      <Group gap="sm">
        <Button
          component="a"
          href="/saml2/metadata"
          download="quern-metadata.xml"
          variant="default"
          leftSection={<DownloadIcon />}
        >
          Metadata
        </Button>
        <Button
          variant="default"
          leftSection={<DownloadIcon />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Certificate
        </Button>
      </Group>
      {download.error !== null && (
        <ErrorAlert title="The certificate was not downloaded" error={download.error} />
      )}
    </>
  );
}

function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-pem-file' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
