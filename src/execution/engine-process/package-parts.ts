import { deserialize, serialize } from 'node:v8';
import type { SnapshotPackage } from '../../engine/project/snapshot.ts';
import type { Source } from '../../engine/text/source.ts';
import { elementAt, entryOf, present } from '../../invariants/must.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { ToEngine } from './engine-messages.ts';

/** Characters of files that are serialized together; a longer file stands alone. */
const PART_CHARACTERS = 512 * 1024;

/** A package in parts, one after another: the first has everything but the files, all have some of these. */
export function* serializeParts({ files, ...head }: SnapshotPackage): Generator<Buffer, void, undefined> {
  const [first = [], ...others] = groupFiles(files);
  yield serialize({ ...head, files: first });
  for (const group of others) yield serialize(group);
}

function groupFiles(files: readonly Source[]): readonly (readonly Source[])[] {
  const groups: Source[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const file of files) {
    characters += file.text.length;
    if (characters > PART_CHARACTERS) {
      groups.push([]);
      characters = file.text.length;
    }
    elementAt(groups, -1).push(file);
  }
  return groups;
}

/** A package of which not every part has arrived. */
interface Arriving {
  /** Of the next part. */
  readonly pieces: Uint8Array[];
  own: SnapshotPackage | null;
}

/** The packages that an engine keeps, as it is told. */
export function createPackageStore() {
  const kept = new Map<string, SnapshotPackage>();
  const arriving = new Map<string, Arriving>();

  function takePart(name: string): SnapshotPackage {
    const { pieces, own } = entryOf(arriving, name);
    const [piece] = pieces;
    const part: unknown = deserialize(pieces.length === 1 ? present(piece) : Buffer.concat(pieces));
    pieces.length = 0;
    if (own === null) return part as SnapshotPackage;
    return { ...own, files: [...own.files, ...(part as readonly Source[])] };
  }

  return {
    keep({ hash, bytes, ends }: Extract<ToEngine, { readonly kind: 'package' }>): void {
      const arrival = arriving.get(hash) ?? { pieces: [], own: null };
      arriving.set(hash, arrival);
      arrival.pieces.push(bytes);
      if (ends === null) return;
      arrival.own = takePart(hash);
      if (ends === 'part') return;
      kept.set(hash, arrival.own);
      arriving.delete(hash);
    },
    forget(hash: string): void {
      kept.delete(hash);
      arriving.delete(hash);
    },
    /** A request with its packages. */
    complete: (request: ExecutionRequest, packages: readonly string[]): ExecutionRequest =>
      withPackages(
        request,
        packages.map((name) => entryOf(kept, name)),
      ),
  };
}

/** What a request has that goes to the engine in packages: those of its snapshot, or SQL that is long. */
export function listPackages({ work }: ExecutionRequest): readonly SnapshotPackage[] {
  if (work.kind !== 'sql') return work.snapshot.packages;
  return isLong(work.source) ? [{ id: '', name: '', files: [work.source], imports: {} }] : [];
}

function isLong({ text }: Source): boolean {
  return text.length > PART_CHARACTERS;
}

/** A request without what goes in packages. */
export function withoutPackages(request: ExecutionRequest): ExecutionRequest {
  const { work } = request;
  if (work.kind !== 'sql') return withPackages(request, []);
  return isLong(work.source) ? withText(request, '') : request;
}

function withPackages(request: ExecutionRequest, packages: readonly SnapshotPackage[]): ExecutionRequest {
  const { work } = request;
  if (work.kind === 'sql') return withText(request, packages[0]?.files[0]?.text);
  return { ...request, work: { ...work, snapshot: { ...work.snapshot, packages } } };
}

/** A request with other SQL; undefined leaves it as it is. */
function withText(request: ExecutionRequest, text: string | undefined): ExecutionRequest {
  const { work } = request;
  if (work.kind !== 'sql' || text === undefined) return request;
  return { ...request, work: { ...work, source: { ...work.source, text } } };
}
