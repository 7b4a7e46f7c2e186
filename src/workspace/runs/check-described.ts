import { listSnapshotSources } from '../../engine/project/snapshot.ts';
import { listDefined } from '../../engine/script/load/scan-names.ts';
import { checkChoices } from '../../engine/script/params/descriptions.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { Source } from '../../engine/text/source.ts';
import type { Work } from '../../execution/contract/request.ts';

/** Throws a ParamError for a value outside of the choices that what runs describes. */
export function checkDescribed(params: Params, work: Work): void {
  for (const source of listDescribed(work)) checkChoices(params, source);
}

/** The sources whose comments limit the parameters of a run: the SQL or script itself, or those that define its block. */
function listDescribed(work: Work): readonly Source[] {
  switch (work.kind) {
    case 'sql':
      return work.isGenerated === true ? [] : [work.source];
    case 'script':
    case 'compile':
      return listSnapshotSources(work.snapshot).filter(({ name }) => name === work.file);
    case 'block': {
      const { needs, packages } = work.snapshot;
      const { files = [] } = packages.find(({ id }) => id === needs[0].id) ?? {};
      return files.filter((file) => [...listDefined(file, () => file, {})].includes(work.block));
    }
    default:
      return [];
  }
}
