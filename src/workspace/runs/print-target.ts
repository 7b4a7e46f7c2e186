import type { Work } from '../../execution/contract/request.ts';
import type { BundleTarget, Target } from '../api/target.ts';

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
