import { type Static, Type } from 'typebox';
import { MaybeText, MaybeTimestamp } from '../../bodies/field-schemas.ts';
import { SETTINGS } from '../../settings/table.ts';

/** The parts of a server whose health is reported. */
const HEALTH_PARTS = ['catalog', 'engine', 'log', 'disk'] as const;

/** `unknown`: no server runs that could report it. */
const HEALTH_STATES = ['ok', 'warning', 'failed', 'unknown'] as const;

const HealthPartSchema = Type.Object(
  {
    part: Type.Enum(HEALTH_PARTS),
    state: Type.Enum(HEALTH_STATES),
    reasons: Type.Immutable(Type.Array(Type.String(), { description: 'Empty for the state `ok`' })),
  },
  { title: 'HealthPart' },
);
export type HealthPartBody = Static<typeof HealthPartSchema>;

const Bytes = (description: string) => Type.Integer({ minimum: 0, description });

const HomeSizesSchema = Type.Object(
  {
    catalog: Bytes('The catalog with its log'),
    databases: Bytes('The DuckDB databases in the home, with their logs'),
    results: Bytes(
      'Temporary files: results of asynchronous executions, and data that does not fit in memory',
    ),
    uploaded: Bytes('Files that SQL may read'),
    published: Bytes('Files that scripts have published'),
    logs: Bytes('The query log'),
    backups: Bytes('Backups, and copies of the catalog of earlier versions'),
    disk: Bytes('The disk with the home'),
    free: Bytes('Its free space'),
  },
  { title: 'HomeSizes', description: 'Sizes in bytes' },
);
export type HomeSizesBody = Static<typeof HomeSizesSchema>;

/** The limits of a server. */
const SERVER_LIMITS = [
  'running_executions',
  'queued_executions',
  'connections',
  'backups',
  'database_bytes',
] as const;

const ServerLimitSchema = Type.Object(
  {
    limit: Type.Enum(SERVER_LIMITS),
    // The name of the connection.
    object: MaybeText,
    setting: Type.String({ description: 'The key of its setting', examples: [SETTINGS.execRunning.key] }),
    used: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Null if it is not known, because no server runs',
    }),
    max: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Null without a limit',
    }),
  },
  { title: 'ServerLimit' },
);
export type ServerLimitBody = Static<typeof ServerLimitSchema>;

/** A server and its home in responses. */
export const ServerStatusSchema = Type.Object(
  {
    version: Type.String({ description: 'The version of Quern' }),
    // Null without a server.
    started_at: MaybeTimestamp,
    address: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Address of the server as its clients know it; null if it is not set',
    }),
    health: Type.Immutable(Type.Array(HealthPartSchema)),
    sizes: HomeSizesSchema,
    limits: Type.Immutable(Type.Array(ServerLimitSchema)),
  },
  { title: 'ServerStatus' },
);
export type ServerStatusBody = Static<typeof ServerStatusSchema>;
