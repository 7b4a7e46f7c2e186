import { deserialize, serialize } from 'node:v8';
import type { SnapshotPackage } from '../../engine/project/snapshot.ts';
import type { Source } from '../../engine/text/source.ts';
import { elementAt, entryOf, notNull, present } from '../../invariants/must.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { ToEngine } from './engine-messages.ts';

/** Characters of files that are serialized together; a longer file is split into several parts. */
const PART_CHARACTERS = 512 * 1024;

/** Some files of a package, in order; the first part also contains the other fields. */
interface Part {
  readonly head: Omit<SnapshotPackage, 'files'> | null;
  /** Whether the first file continues the last file of the previous part. */
  readonly continues: boolean;
  readonly files: readonly Source[];
}

/** Serializes a package in several parts. */
export function* serializeParts({ files, ...head }: SnapshotPackage): Generator<Buffer, void, undefined> {
  let isFirst = true;
  for (const part of groupFiles(files)) {
    yield serialize({ head: isFirst ? head : null, ...part } satisfies Part);
    isFirst = false;
  }
}

function* groupFiles(files: readonly Source[]): Generator<Omit<Part, 'head'>, void, undefined> {
  let group: Source[] = [];
  let characters = 0;
  for (const file of files) {
    const { length } = file.text;
    if (group.length > 0 && characters + length > PART_CHARACTERS) {
      yield { continues: false, files: group };
      [group, characters] = [[], 0];
    }
    if (length <= PART_CHARACTERS) {
      group.push(file);
      characters += length;
      continue;
    }
    for (let at = 0; at < length; at += PART_CHARACTERS) {
      yield { continues: at > 0, files: [{ ...file, text: file.text.slice(at, at + PART_CHARACTERS) }] };
    }
  }
  if (group.length > 0 || files.length === 0) yield { continues: false, files: group };
}

/** A package that has arrived in part. */
interface Arriving {
  /** The pieces of the next part. */
  readonly pieces: Uint8Array[];
  own: SnapshotPackage | null;
}

/** The packages that the parent has sent and the engine keeps. */
export function createPackageStore() {
  const kept = new Map<string, SnapshotPackage>();
  const arriving = new Map<string, Arriving>();

  function takePart(name: string): SnapshotPackage {
    const { pieces, own } = entryOf(arriving, name);
    const [piece] = pieces;
    const part: Part = deserialize(pieces.length === 1 ? present(piece) : Buffer.concat(pieces));
    pieces.length = 0;
    return { ...(part.head ?? notNull(own)), files: join(own?.files ?? [], part) };
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
    /** Adds its packages to a request. */
    complete(request: ExecutionRequest, hashes: readonly string[]): ExecutionRequest {
      if (hashes.length === 0) return request;
      const packages = hashes.map((hash) => entryOf(kept, hash));
      return withPackages(request, packages);
    },
  };
}

/** Appends the files of the next part to those that have arrived. */
function join(before: readonly Source[], { continues, files }: Part): readonly Source[] {
  if (!continues) return [...before, ...files];
  const [last, [next, ...others]] = [elementAt(before, -1), files];
  const whole = { ...last, text: last.text + present(next).text };
  return [...before.slice(0, -1), whole, ...others];
}

/** Separates what goes to the engine in packages, the snapshot's packages or long SQL, from the rest of the request. */
export function takePackages(request: ExecutionRequest): {
  readonly packages: readonly SnapshotPackage[];
  readonly rest: ExecutionRequest;
} {
  const { work } = request;
  if (work.kind !== 'sql') return { packages: work.snapshot.packages, rest: withPackages(request, []) };
  const { source } = work;
  if (source.text.length <= PART_CHARACTERS) return { packages: [], rest: request };
  return {
    packages: [{ id: '', name: '', files: [source], unreadable: [], imports: {} }],
    rest: withText(request, ''),
  };
}

function withPackages(request: ExecutionRequest, packages: readonly SnapshotPackage[]): ExecutionRequest {
  const { work } = request;
  if (work.kind === 'sql') return withText(request, elementAt(elementAt(packages, 0).files, 0).text);
  return { ...request, work: { ...work, snapshot: { ...work.snapshot, packages } } };
}

/** Replaces the SQL of a request. */
function withText(request: ExecutionRequest, text: string): ExecutionRequest {
  const { work } = request;
  if (work.kind !== 'sql') return request;
  return { ...request, work: { ...work, source: { ...work.source, text } } };
}
