import { Button, Group, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SamlSignInTest, StoredSaml } from '../../../api/administration/single-sign-on.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { Facts } from '../../facts.tsx';
import { PanelHeading } from '../panel-parts.tsx';
import { Step } from './step.tsx';
import { useSamlChange } from './use-saml-change.ts';

const ATTRIBUTES = {
  user_name: 'User name',
  first_name: 'First name',
  last_name: 'Last name',
  groups: 'Groups',
} as const;

const SWITCHES = {
  jit: [
    'Create users at their first sign-in',
    'Otherwise an account with the same e-mail address must exist',
  ],
  group_sync: ['Update the groups at each sign-in', 'Memberships that were made here stay'],
  create_groups: ['Create groups that do not exist', 'Otherwise unknown groups are ignored'],
} as const;

interface MappingProps {
  readonly saml: StoredSaml;
  /** The last test sign-in. */
  readonly test: SamlSignInTest | undefined;
}

/** Which attributes have the facts about a user, next to those of the last test sign-in. */
export function Mapping({ saml, test }: MappingProps) {
  const attributes = test?.outcome?.attributes;
  const isMissing = attributes !== undefined && !Object.keys(attributes).includes(saml.attributes.user_name);
  return (
    <Step
      title="3. Attributes"
      description="Name the attributes that the identity provider sends."
      state={attributes === undefined ? 'optional' : isMissing ? 'to do' : 'done'}
      {...(isMissing ? { stateText: 'the user name is missing' } : {})}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <AttributeForm saml={saml} key={JSON.stringify(saml.attributes)} />
        <Stack gap="xs" component="section" aria-label="Received attributes">
          <PanelHeading>Received at the last test</PanelHeading>
          {attributes === undefined ? (
            <Text size="sm" c="dimmed">
              Make a test sign-in: its attributes appear here.
            </Text>
          ) : (
            <Facts
              columns={1}
              facts={Object.fromEntries(
                Object.entries(attributes).map(([name, values]) => [name, values.join(', ')]),
              )}
            />
          )}
        </Stack>
      </SimpleGrid>
      <Switches saml={saml} />
    </Step>
  );
}

function AttributeForm({ saml }: { readonly saml: StoredSaml }) {
  const change = useSamlChange('Changed the names of the attributes');
  const [names, setNames] = useState(saml.attributes);
  const isChanged = JSON.stringify(names) !== JSON.stringify(saml.attributes);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ attributes: names });
      }}
    >
      <Stack gap="sm">
        {(['user_name', 'first_name', 'last_name', 'groups'] as const).map((name) => (
          <TextInput
            key={name}
            label={ATTRIBUTES[name]}
            required
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            value={names[name]}
            onChange={(event) => setNames({ ...names, [name]: event.currentTarget.value })}
          />
        ))}
        {change.error !== null && <ErrorAlert title="The attributes were not changed" error={change.error} />}
        <Group>
          <Button type="submit" variant="default" disabled={!isChanged} loading={change.isPending}>
            Save the attributes
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Switches({ saml }: { readonly saml: StoredSaml }) {
  const change = useSamlChange('Changed how accounts are made');
  return (
    <Stack gap="sm">
      {(['jit', 'group_sync', 'create_groups'] as const).map((name) => (
        <Switch
          key={name}
          label={SWITCHES[name][0]}
          description={SWITCHES[name][1]}
          checked={saml[name]}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ [name]: event.currentTarget.checked })}
        />
      ))}
      {change.error !== null && <ErrorAlert title="The setting was not changed" error={change.error} />}
    </Stack>
  );
}
