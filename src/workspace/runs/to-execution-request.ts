import type { ExecutionRequest, Work } from '../../execution/contract/request.ts';
import type { BundleTarget, Target } from '../api/target.ts';
import type { Collected } from './collect-work.ts';

/** Bytes that a first result set may take while other statements run. */
const SPOOL_BYTES = 1024 ** 3;

/** Where an execution may write. */
export type ExecutionFolders = Pick<
  ExecutionRequest['limits'],
  'spoolDirectory' | 'publishDirectory' | 'publishQuota'
>;

interface Parts {
  /** Whose it is, what it is called, and how it is to be answered. */
  readonly asked: Omit<
    ExecutionRequest,
    'work' | 'params' | 'connection' | 'semantic' | 'limits' | 'warnings' | 'started'
  >;
  readonly collected: Collected;
  readonly folders: ExecutionFolders;
  /** Rows of the answer; left out: all. */
  readonly maxRows?: number | undefined;
}

/** The request for a host to run what was collected. */
export function toExecutionRequest({ asked, collected, folders, maxRows }: Parts): ExecutionRequest {
  const { work, params, connection, semantic, timeoutMs, maxSessions, warnings } = collected;
  const limits = { ...folders, timeoutMs, maxSessions, maxRows: maxRows ?? null, spoolBytes: SPOOL_BYTES };
  return { ...asked, work, params, connection, semantic, limits, warnings };
}

/** The name of what runs, as its caller knows it; `work` is what was found, once it is. */
export function printTarget(target: Target, work?: Work): string {
  switch (target.kind) {
    case 'sql':
      return target.source.name;
    case 'script':
      return target.path;
    case 'file':
      return work?.kind === 'script' ? work.file : target.source.name;
    case 'block':
      return `${target.package}.${target.block}`;
    case 'tests':
      return 'tests';
    case 'bundle':
      return `bundle:${printUse(target.use)}`;
  }
}

function printUse(use: BundleTarget['use']): string {
  switch (use.kind) {
    case 'block':
      return `${use.package}.${use.block}`;
    case 'tests':
      return 'tests';
    default:
      return use.path;
  }
}
