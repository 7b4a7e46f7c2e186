import { Alert, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  type ListedSetting,
  printSettingValue,
  type SettingsSearch,
  settingsQuery,
} from '../../api/administration/settings.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import classes from '../../components/administration/row.module.css';
import { Facts } from '../../components/facts.tsx';
import { AdministrationIcon } from '../../components/icons.tsx';
import { Message } from '../../components/message-page.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { DataTable, type ListColumn } from '../../components/table/data-table.tsx';

const route = getRouteApi('/signed-in/administration/settings');
const nothing = () => {};

/** The settings of the server, which only its machine can change (docs/reference/settings.md). */
export function SettingsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: SettingsSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { data, error, refetch } = useQuery(settingsQuery);
  const rows = data?.filter((setting) => isFound(setting, search.q ?? ''));
  const open = data?.find(({ key }) => key === search.setting);
  return (
    <AdministrationPage
      title="Settings"
      panel={
        open !== undefined && <SettingPanel setting={open} onClose={() => change({ setting: undefined })} />
      }
    >
      <DataTable
        label="Settings"
        unit={['setting', 'settings']}
        columns={COLUMNS}
        list={{ rows, total: rows?.length, error, retry: () => void refetch(), loadMore: nothing }}
        toId={({ key }) => key}
        openId={search.setting}
        onOpen={(setting) => change({ setting }, true)}
        search={{ q: search.q }}
        onSearch={({ q }) => change({ q }, true)}
        onClear={() => change({ q: undefined })}
        empty={
          <Message
            icon={<AdministrationIcon size={24} />}
            title="No settings"
            text="The settings of the server appear here."
          />
        }
      />
    </AdministrationPage>
  );
}

function isFound({ key, text, option, variable }: ListedSetting, q: string): boolean {
  const wanted = q.toLowerCase();
  return [key, text, option ?? '', variable ?? ''].some((part) => part.toLowerCase().includes(wanted));
}

const COLUMNS: readonly ListColumn<ListedSetting>[] = [
  {
    header: 'Setting',
    render: ({ key }) => (
      <Link
        from="/administration/settings"
        to="/administration/settings"
        search={(before) => ({ ...before, setting: key })}
        className={classes.name}
      >
        {key}
      </Link>
    ),
  },
  {
    header: 'Value',
    render: (setting) => (setting.error === null ? printSettingValue(setting) : 'Invalid'),
  },
  {
    header: 'Source',
    width: 160,
    isExtra: true,
    render: ({ origin }) => SOURCES[origin],
  },
];

const SOURCES: Readonly<Record<ListedSetting['origin'], string>> = {
  flag: 'Option',
  variable: 'Variable',
  config: 'config.toml',
  default: 'Default',
};

interface SettingPanelProps {
  readonly setting: ListedSetting;
  readonly onClose: () => void;
}

function SettingPanel({ setting, onClose }: SettingPanelProps) {
  const { key, text, error, source, values, option, variable, needs_restart } = setting;
  return (
    <SidePanel title={key} onClose={onClose}>
      <Stack gap="lg">
        <Text size="sm">{`${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`}</Text>
        {error !== null && (
          <Alert color="red" variant="light" title="The value is invalid">
            {error}
          </Alert>
        )}
        <Facts
          columns={1}
          facts={{
            Value: printSettingValue(setting),
            Source: source ?? 'Default',
            Default: setting.default || 'None',
            'Possible values': values || 'Any',
            Option: option === null ? 'None' : <Code>{option}</Code>,
            Variable: variable === null ? 'None' : <Code>{variable}</Code>,
            'A change': needs_restart ? 'Applies when the server starts again' : 'Applies at once',
          }}
        />
        <Text size="sm" c="dimmed">
          Settings are changed on the machine of the server: in its config.toml, with a variable or with an
          option.
        </Text>
      </Stack>
    </SidePanel>
  );
}
