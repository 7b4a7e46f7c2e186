import path from 'node:path';
import type { ExecutionLimits, ExecutionRequest, Work } from '../../execution/contract/request.ts';
import type { BundleTarget, ServedTarget, Target } from '../api/target.ts';
import type { CollectedRequest } from './collect-work.ts';

/** The maximum size of the first result set while other statements run, in bytes. */
const SPOOL_BYTES = 1024 ** 3;

/** The folders where an execution may write. */
export type ExecutionFolders = Pick<
  ExecutionRequest['limits'],
  'spoolDirectory' | 'publishDirectory' | 'publishQuota'
>;

/** The request to a host for collected work; `request` has its owner, its name and the options of the response. */
export function toExecutionRequest(
  request: Omit<ExecutionRequest, keyof CollectedRequest | 'limits' | 'started'>,
  { limits, ...collected }: CollectedRequest,
  more: ExecutionFolders & Pick<ExecutionLimits, 'maxRows'>,
): ExecutionRequest {
  return { ...request, ...collected, limits: { ...limits, ...more, spoolBytes: SPOOL_BYTES } };
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
