import type { Parameters } from '../../engine/project/parameters.ts';
import type { Snapshot } from '../../engine/project/snapshot.ts';
import { listDefined } from '../../engine/script/load/scan-names.ts';
import { checkChoices } from '../../engine/script/params/descriptions.ts';
import { type Params, withDefaults } from '../../engine/script/params/params.ts';
import type { Source } from '../../engine/text/source.ts';
import type { Work } from '../../execution/contract/request.ts';

/** Throws a ParamError for a value outside of the choices that what runs describes. */
export function checkDescribed(params: Params, work: Work): void {
  for (const { source, defaults } of listDescribed(work))
    checkChoices(withDefaults(params, defaults), source);
}

/** As `checkDescribed`, for one script. */
export function checkDescribedScript(params: Params, snapshot: Snapshot, file: string): void {
  for (const { source, defaults } of listScripts(snapshot, file)) {
    checkChoices(withDefaults(params, defaults), source);
  }
}

/** A source, and the values of its project for parameters that the caller does not set. */
interface Described {
  readonly source: Source;
  readonly defaults: Parameters | undefined;
}

function listScripts({ packages }: Snapshot, file: string): readonly Described[] {
  return packages.flatMap(({ files, defaults }) =>
    files.filter(({ name }) => name === file).map((source) => ({ source, defaults })),
  );
}

/** The sources whose comments limit the parameters of a run: the SQL or script itself, or those that define its block. */
function listDescribed(work: Work): readonly Described[] {
  switch (work.kind) {
    case 'sql':
      return work.isGenerated === true ? [] : [{ source: work.source, defaults: undefined }];
    case 'script':
    case 'compile':
      return listScripts(work.snapshot, work.file);
    case 'block': {
      const { needs, packages } = work.snapshot;
      const { files = [], defaults } = packages.find(({ id }) => id === needs[0].id) ?? {};
      return files
        .filter((file) => [...listDefined(file, () => file, {})].includes(work.block))
        .map((source) => ({ source, defaults }));
    }
    default:
      return [];
  }
}
