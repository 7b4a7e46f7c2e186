import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ServerStatus } from '../../../api/administration/server.ts';
import { printCount, printSize } from '../../catalog/view/print-size.ts';
import { Facts } from '../../facts.tsx';
import { TimeText } from '../../time-text.tsx';
import { PanelHeading } from '../panel-parts.tsx';
import rowClasses from '../row.module.css';
import { Bar } from './bar.tsx';
import classes from './server.module.css';

interface StateProps {
  readonly status: ServerStatus;
}

type HealthPart = ServerStatus['health'][number];

const PARTS: Readonly<Record<HealthPart['part'], string>> = {
  catalog: 'Catalog',
  engine: 'Engine process',
  log: 'Log',
  disk: 'Disk',
};

const STATES: Readonly<Record<HealthPart['state'], readonly [text: string, kind: string]>> = {
  ok: ['OK', 'success'],
  warning: ['Warning', 'warning'],
  failed: ['Failed', 'danger'],
  unknown: ['Unknown', 'info'],
};

/** The version, the start, and the health of each part with its reasons. */
function HealthSection({ status: { version, started_at, address, health } }: StateProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Health">
      <PanelHeading>Health</PanelHeading>
      <Facts
        facts={{
          Version: version,
          Started: started_at === null ? 'Unknown' : <TimeText value={started_at} isRelative />,
          Address: address ?? 'Not set',
        }}
      />
      <ul className={rowClasses.list} aria-label="Parts of the server">
        {health.map((part) => (
          <HealthRow key={part.part} part={part} />
        ))}
      </ul>
    </Stack>
  );
}

function HealthRow({ part: { part, state, reasons } }: { readonly part: HealthPart }) {
  const [text, kind] = STATES[state];
  return (
    <li className={rowClasses.item}>
      <div>
        <Text size="sm">{PARTS[part]}</Text>
        {reasons.map((reason) => (
          <Text key={reason} size="sm" c="dimmed">
            {reason}
          </Text>
        ))}
      </div>
      <Badge size="sm" bg={`var(--quern-${kind}-surface)`} c={`var(--quern-${kind}-text)`}>
        {text}
      </Badge>
    </li>
  );
}

type Sizes = ServerStatus['sizes'];

const SIZES: Readonly<Record<Exclude<keyof Sizes, 'disk' | 'free'>, string>> = {
  catalog: 'Catalog',
  databases: 'Databases',
  results: 'Results and temporary files',
  uploaded: 'Uploaded files',
  published: 'Published files',
  logs: 'Query log',
  backups: 'Backups',
};

/** The sizes of the parts of the home, as bars of the disk. */
function SizesSection({ status: { sizes } }: StateProps) {
  const { disk, free } = sizes;
  const names = Object.keys(SIZES) as (keyof typeof SIZES)[];
  return (
    <Stack gap="sm" component="section" aria-label="Sizes">
      <PanelHeading>Sizes</PanelHeading>
      <div className={classes.bars}>
        <Bar
          label="Disk in use"
          text={`${printSize(disk - free)} of ${printSize(disk)}`}
          share={toShare(disk - free, disk)}
        />
        {names.map((name) => (
          <Bar
            key={name}
            label={SIZES[name]}
            text={printSize(sizes[name])}
            share={toShare(sizes[name], disk)}
          />
        ))}
      </div>
    </Stack>
  );
}

type Limit = ServerStatus['limits'][number];

const LIMITS: Readonly<Record<Limit['limit'], string>> = {
  running_executions: 'Running queries',
  queued_executions: 'Queued queries',
  connections: 'Open connections',
  backups: 'Backups',
  database_bytes: 'Database',
};

/** The limits with their use. */
function LimitsSection({ status: { limits } }: StateProps) {
  return (
    <Stack gap="sm" component="section" aria-label="Limits">
      <PanelHeading>Limits</PanelHeading>
      <div className={classes.bars}>
        {limits.map((limit) => (
          <Bar key={`${limit.limit} ${limit.object}`} {...toBar(limit)} />
        ))}
      </div>
      <Text size="sm" c="dimmed">
        The{' '}
        <Anchor component={Link} to="/administration/settings" size="sm" underline="always">
          settings
        </Anchor>{' '}
        have the limits.
      </Text>
    </Stack>
  );
}

function toBar({ limit, object, used, max }: Limit) {
  const print = limit === 'database_bytes' ? printSize : printCount;
  const most = max === null ? 'no limit' : `of ${print(max)}`;
  return {
    label: object === null ? LIMITS[limit] : `${LIMITS[limit]} ${object}`,
    text: `${used === null ? 'Unknown' : print(used)} ${most}`,
    share: used === null || max === null ? null : toShare(used, max),
  };
}

function toShare(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

interface SectionsProps extends StateProps {
  readonly children: ReactNode;
}

/** The sections of the page; `children` come last, over the whole width. */
export function StateSections({ status, children }: SectionsProps) {
  return (
    <div className={classes.body}>
      <div className={classes.column}>
        <HealthSection status={status} />
        <LimitsSection status={status} />
      </div>
      <SizesSection status={status} />
      {children}
    </div>
  );
}
