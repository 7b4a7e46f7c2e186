import type { FormatName } from '../../engine/result/formats.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { BlockTarget, BundleTarget, RunSettings, RunTarget } from '../api/workspace-api.ts';
import type { Services } from '../services/services.ts';

/** What a request over HTTP runs: nothing on the server's disk can be meant. */
export type ServedTarget =
  | { readonly kind: 'sql'; readonly text: string }
  | { readonly kind: 'script'; readonly path: string; readonly projectVersion?: string | undefined }
  | (Pick<BlockTarget, 'package' | 'block' | 'args'> & {
      readonly kind: 'block';
      readonly projectVersion?: string | undefined;
    })
  | BundleTarget;

/** One request for an execution (interface 4.3). */
export interface ServedRequest extends RunSettings {
  readonly target: ServedTarget;
  readonly format: FormatName;
  readonly numbers: 'number' | 'string';
}

/** The target as the workspace knows it. */
export function toRunTarget(target: ServedTarget): RunTarget {
  switch (target.kind) {
    case 'sql':
      return { kind: 'text', source: { name: 'sql', text: target.text } };
    case 'script':
      return { kind: 'asset', path: target.path };
    case 'block':
      return { ...target, place: 'catalog', cwd: '', projects: [] };
    case 'bundle':
      return target;
  }
}

/** What its asker calls it. */
export function printName(target: ServedTarget): string {
  switch (target.kind) {
    case 'sql':
      return 'sql';
    case 'script':
      return target.path;
    case 'block':
      return `${target.package}.${target.block}`;
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

/** The version of a project in the hub that is asked for must be the one that is there. Throws 404. */
export function checkVersion({ catalog }: Services, principal: Principal, target: ServedTarget): void {
  if (target.kind === 'sql' || target.kind === 'bundle' || target.projectVersion === undefined) return;
  catalog.get(principal, target.kind === 'script' ? target.path : target.package, target.projectVersion);
}
