import path from 'node:path';
import type { ExecutionRequest, Work } from '../../execution/contract/request.ts';
import type { BundleTarget, ServedTarget, Target } from '../api/target.ts';
import type { Collected } from './collect-work.ts';

/** The maximum size of the first result set while other statements run, in bytes. */
const SPOOL_BYTES = 1024 ** 3;

/** The folders where an execution may write. */
export type ExecutionFolders = Pick<
  ExecutionRequest['limits'],
  'spoolDirectory' | 'publishDirectory' | 'publishQuota'
>;

interface Parts {
  /** The owner, the name and the response options. */
  readonly request: Omit<
    ExecutionRequest,
    'work' | 'params' | 'connection' | 'semantic' | 'limits' | 'warnings' | 'started'
  >;
  readonly collected: Collected;
  readonly folders: ExecutionFolders;
  /** The maximum of result rows; default: all. */
  readonly maxRows?: number | undefined;
}

/** The request to a host for collected work. */
export function toExecutionRequest({ request, collected, folders, maxRows }: Parts): ExecutionRequest {
  const { work, params, connection, semantic, timeoutMs, timeoutSource, maxSessions, warnings } = collected;
  const time = { timeoutMs, timeoutSource };
  const limits = { ...folders, ...time, maxSessions, maxRows: maxRows ?? null, spoolBytes: SPOOL_BYTES };
  return { ...request, work, params, connection, semantic, limits, warnings };
}

/** The name of a target as its caller knows it; `work` is the resolved target, if already known. */
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
      return `bundle:${[...(target.base === undefined ? [] : [target.base]), printUse(target.use)].join('/')}`;
  }
}

/** The path in the catalog that a reader of a stored result must be able to view; null for SQL and sent files. */
export function findReadPath(target: ServedTarget, work: Work): string | null {
  if (target.kind === 'bundle') return target.base ?? null;
  if (work.kind === 'script') return work.file;
  if (work.kind !== 'block') return null;
  const { needs, packages } = work.snapshot;
  const [file] = packages.find(({ id }) => id === needs[0].id)?.files ?? [];
  return file === undefined ? null : path.posix.dirname(file.name);
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
