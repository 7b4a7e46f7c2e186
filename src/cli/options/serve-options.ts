import type { Settings } from '../../settings/read-settings.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { ExecutionOptions } from '../../workspace/runs/executions.ts';
import { UsageError } from '../context/errors.ts';

/** The complete options of a server. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | null;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly trustProxy: readonly string[];
  readonly rateLimit: number | null;
  readonly limitLoopback: boolean;
  readonly maxConnections: number | null;
  readonly maxConnectionsPerAddress: number | null;
  readonly logLevel: string;
  readonly stopGraceMs: number;
  /** Null: no log is written. */
  readonly queryLog: { readonly keepsTexts: boolean; readonly days: number } | null;
  readonly semanticConnection: string | undefined;
  readonly execution: Pick<
    ExecutionOptions,
    'limits' | 'timeoutMs' | 'sqlMegabytes' | 'memory' | 'disk' | 'resultTtlMs'
  >;
}

/** The options of `quern serve`. Throws a UsageError or a SettingError. */
export function readServeOptions({ get }: Settings): ServeOptions {
  return {
    host: get(SETTINGS.host),
    port: get(SETTINGS.port),
    baseUrl: get(SETTINGS.baseUrl) ?? null,
    tls: pairTls(get(SETTINGS.tlsCert), get(SETTINGS.tlsKey)),
    trustProxy: get(SETTINGS.trustProxy),
    // Zero means unlimited.
    rateLimit: get(SETTINGS.rateLimit) || null,
    limitLoopback: get(SETTINGS.limitLoopback),
    maxConnections: get(SETTINGS.maxConnections) || null,
    maxConnectionsPerAddress: get(SETTINGS.maxConnectionsPerAddress) || null,
    logLevel: get(SETTINGS.logLevel),
    stopGraceMs: get(SETTINGS.stopGrace) * 1_000,
    queryLog: toQueryLog(get(SETTINGS.queryLog), get(SETTINGS.queryLogDays)),
    semanticConnection: get(SETTINGS.semanticConnection),
    execution: {
      limits: {
        running: get(SETTINGS.execRunning),
        queued: get(SETTINGS.execQueued),
        perOwner: get(SETTINGS.execPerUser),
      },
      timeoutMs: get(SETTINGS.execTimeout) * 1_000,
      resultTtlMs: get(SETTINGS.execResultTtl) * 1_000,
      sqlMegabytes: get(SETTINGS.execSqlSize),
      memory: get(SETTINGS.execMemory),
      disk: get(SETTINGS.execDisk),
    },
  };
}

function toQueryLog(kept: 'hash' | 'text' | 'off', days: number): ServeOptions['queryLog'] {
  return kept === 'off' ? null : { keepsTexts: kept === 'text', days };
}

function pairTls(cert: string | undefined, key: string | undefined): ServeOptions['tls'] {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) {
    throw new UsageError(`TLS needs both ${flagOf(SETTINGS.tlsCert)} and ${flagOf(SETTINGS.tlsKey)}`);
  }
  return { cert, key };
}
