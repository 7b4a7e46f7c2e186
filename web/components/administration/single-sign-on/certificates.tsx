import { Badge, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  activateSamlCertificate,
  renewSamlCertificate,
  type StoredSaml,
} from '../../../api/administration/single-sign-on.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { notify } from '../../notify.ts';
import { Section } from '../../section.tsx';
import { TimeText } from '../../time-text.tsx';
import classes from '../row.module.css';
import { useSamlChange } from './use-saml-change.ts';

type Certificate = StoredSaml['certificates'][number];

const DAY_MS = 86_400_000;
/** A certificate that ends within this number of days is marked. */
const SOON_DAYS = 30;
const UNITS = ['days', 'months', 'years'] as const;

/** The certificates of this server, which the identity provider trusts: renewed without an outage. */
export function Certificates({ saml }: { readonly saml: StoredSaml }) {
  const client = useQueryClient();
  const renewal = useMutation({
    mutationFn: () => renewSamlCertificate(client),
    onSuccess: () => notify('Created a certificate, which is pending'),
  });
  const activation = useMutation({
    mutationFn: () => activateSamlCertificate(client),
    onSuccess: () => notify('Activated the certificate'),
  });
  const isPending = saml.certificates.some(({ state }) => state === 'pending');
  const failed = renewal.error ?? activation.error;
  return (
    <Section
      title="Certificate"
      description="Renew it, give the new metadata to the identity provider, and then activate it: sign-ins work at each step."
    >
      <ul className={classes.list} aria-label="Certificates">
        {saml.certificates.map((certificate) => (
          <CertificateRow key={certificate.fingerprint} certificate={certificate} />
        ))}
      </ul>
      <Validity saml={saml} key={JSON.stringify(saml.certificate_validity)} />
      <Group gap="sm">
        <Button variant="default" loading={renewal.isPending} onClick={() => renewal.mutate()}>
          {isPending ? 'Renew again' : 'Renew'}
        </Button>
        {isPending && (
          <Button loading={activation.isPending} onClick={() => activation.mutate()}>
            Activate the pending certificate
          </Button>
        )}
      </Group>
      {failed !== null && <ErrorAlert title="The certificate was not changed" error={failed} />}
    </Section>
  );
}

function CertificateRow({
  certificate: { state, not_after, fingerprint },
}: {
  readonly certificate: Certificate;
}) {
  const days = Math.floor((new Date(not_after).getTime() - Date.now()) / DAY_MS);
  return (
    <li className={classes.item}>
      <div>
        <Text size="sm">
          Until <TimeText value={not_after} />
          {days < 0 ? ', expired' : `, ${days.toLocaleString()} days left`}
        </Text>
        <Text size="xs" c="dimmed">
          SHA-256 {fingerprint}
        </Text>
      </div>
      <Group gap="xs">
        {days < SOON_DAYS && (
          <Badge size="sm" variant="default" tt="none">
            {days < 0 ? 'expired' : 'soon'}
          </Badge>
        )}
        <Badge size="sm" variant="default" tt="none">
          {state}
        </Badge>
      </Group>
    </li>
  );
}

function Validity({ saml }: { readonly saml: StoredSaml }) {
  const change = useSamlChange('Changed the validity of new certificates');
  const [count, setCount] = useState(saml.certificate_validity.count);
  const [unit, setUnit] = useState(saml.certificate_validity.unit);
  const isChanged = count !== saml.certificate_validity.count || unit !== saml.certificate_validity.unit;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ certificate_validity: { count, unit } });
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <TextInput
            label="New certificates are valid for"
            type="number"
            min={1}
            required
            w={200}
            value={count}
            onChange={({ currentTarget: { value } }) => setCount(Number(value))}
          />
          <NativeSelect
            aria-label="Unit of the validity"
            data={[...UNITS]}
            value={unit}
            onChange={({ currentTarget: { value } }) => setUnit(UNITS.find((one) => one === value) ?? unit)}
          />
          <Button type="submit" variant="default" disabled={!isChanged} loading={change.isPending}>
            Save
          </Button>
        </Group>
        {change.error !== null && <ErrorAlert title="The validity was not changed" error={change.error} />}
      </Stack>
    </form>
  );
}
