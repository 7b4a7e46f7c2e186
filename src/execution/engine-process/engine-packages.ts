import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { SnapshotPackage } from '../../engine/project/snapshot.ts';
import type { Source } from '../../engine/text/source.ts';
import { elementAt, entryOf, notNull, present } from '../../invariants/must.ts';
import { takeTurn } from '../../turns/take-turn.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { ToEngine } from './engine-messages.ts';

// How requests reach an engine: their packages are sent separately. First the side of the parent, then that of the engine.

/** Maximum size of the packages that an engine keeps, in bytes, besides those of the last requests. */
const KEPT_BYTES = 64 * 1024 ** 2;

/**
 * Bytes that are hashed or sent at once, before other work gets a turn. A part with one-byte characters is one piece.
 */
const PIECE_BYTES = 544 * 1024;

/** Sends a message and an optional handle after all earlier messages; `onLeft` is called when it has been sent. */
export type Send = (message: ToEngine, handle?: object, onLeft?: () => void) => void;

/** A request to be sent under a key. */
export interface Delivery {
  readonly key: string;
  readonly request: ExecutionRequest;
  /** `unwanted`: the engine should not run it any more. The sender sets `sent`. */
  state: 'sending' | 'sent' | 'unwanted';
}

/** A package in the form that an engine receives. */
interface Serialized {
  readonly hash: string;
  readonly parts: readonly Buffer[];
  readonly bytes: number;
}

/**
 * Sends requests to one engine, piece by piece, and each package only once while the engine keeps it. Resolves when a
 * request has been sent or is no longer wanted.
 */
export function createRequestSender(send: Send, keptBytes = KEPT_BYTES) {
  const engineCache = createEngineCache();
  /** Packages that are being sent. */
  const sending = new Map<string, Promise<void>>();

  async function provide(serialized: Serialized, delivery: Delivery): Promise<void> {
    while (sending.has(serialized.hash)) await sending.get(serialized.hash);
    if (engineCache.use(serialized.hash) || delivery.state !== 'sending') return;
    const done = sendParts(serialized, delivery).finally(() => sending.delete(serialized.hash));
    sending.set(serialized.hash, done);
    await done;
  }

  async function sendParts(serialized: Serialized, delivery: Delivery): Promise<void> {
    const { hash, parts } = serialized;
    for (const piece of cutParts(parts)) {
      if (delivery.state !== 'sending') break;
      const left = Promise.withResolvers<void>();
      send({ kind: 'package', hash, ...piece }, undefined, () => left.resolve());
      if (piece.ends === 'package') engineCache.add(serialized);
      else await left.promise;
    }
    if (!engineCache.use(hash)) send({ kind: 'forget', hash });
  }

  return async (delivery: Delivery): Promise<void> => {
    const { packages, request } = takePackages(delivery.request);
    const hashes: string[] = [];
    try {
      for (const snapshotPackage of packages) {
        const serialized = await serializePackage(snapshotPackage, delivery);
        if (serialized === null) return;
        hashes.push(serialized.hash);
        engineCache.need(serialized.hash);
        await provide(serialized, delivery);
      }
      if (delivery.state !== 'sending') return;
      send({ kind: 'run', key: delivery.key, request, packages: hashes });
      delivery.state = 'sent';
    } finally {
      for (const hash of hashes) engineCache.needNoMore(hash);
      const old = hashes.length === 0 ? [] : engineCache.takeOldest(keptBytes);
      for (const hash of old) send({ kind: 'forget', hash });
    }
  };
}

/** The packages that an engine keeps, from the parent's side. */
function createEngineCache() {
  /** Bytes by hash, the most recently used last. */
  const sizes = new Map<string, number>();
  /** How many requests in transfer need each package. */
  const needs = new Map<string, number>();
  let total = 0;
  return {
    add({ hash, bytes }: Serialized): void {
      sizes.set(hash, bytes);
      total += bytes;
    },
    /** Whether the engine has it; marks it as used. */
    use(hash: string): boolean {
      const bytes = sizes.get(hash);
      if (bytes === undefined) return false;
      sizes.delete(hash);
      sizes.set(hash, bytes);
      return true;
    },
    need: (hash: string) => void needs.set(hash, (needs.get(hash) ?? 0) + 1),
    needNoMore(hash: string): void {
      const count = entryOf(needs, hash) - 1;
      if (count === 0) needs.delete(hash);
      else needs.set(hash, count);
    },
    /** Removes packages above the size limit that no request needs, oldest first. */
    takeOldest(maxBytes: number): readonly string[] {
      const taken: string[] = [];
      for (const [hash, bytes] of sizes) {
        if (total <= maxBytes) break;
        if (needs.has(hash)) continue;
        sizes.delete(hash);
        total -= bytes;
        taken.push(hash);
      }
      return taken;
    },
  };
}

/** Serializes a package; null when the request is no longer wanted. */
async function serializePackage(
  snapshotPackage: SnapshotPackage,
  delivery: Delivery,
): Promise<Serialized | null> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let bytes = 0;
  const characters = snapshotPackage.files.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > PIECE_BYTES) await takeTurn();
  for (const part of serializeParts(snapshotPackage)) {
    parts.push(part);
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      const piece = part.subarray(at, at + PIECE_BYTES);
      hash.update(piece);
      bytes += piece.length;
      if (bytes > PIECE_BYTES) await takeTurn();
      if (delivery.state !== 'sending') return null;
    }
  }
  return { hash: hash.digest('hex'), parts, bytes };
}

type Piece = Pick<Extract<ToEngine, { readonly kind: 'package' }>, 'bytes' | 'ends'>;

/** Cuts parts into pieces. */
function* cutParts(parts: readonly Buffer[]): Generator<Piece, void, undefined> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      const isEnd = at + PIECE_BYTES >= part.length;
      const ends = part === parts.at(-1) ? 'package' : 'part';
      yield { bytes: part.subarray(at, at + PIECE_BYTES), ends: isEnd ? ends : null };
    }
  }
}

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
function* serializeParts({ files, ...head }: SnapshotPackage): Generator<Buffer, void, undefined> {
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
  snapshotPackage: SnapshotPackage | null;
}

/** The packages that the parent has sent and the engine keeps. */
export function createPackageStore() {
  const packagesByHash = new Map<string, SnapshotPackage>();
  const arriving = new Map<string, Arriving>();

  function takePart(name: string): SnapshotPackage {
    const { pieces, snapshotPackage } = entryOf(arriving, name);
    const [piece] = pieces;
    const part: Part = deserialize(pieces.length === 1 ? present(piece) : Buffer.concat(pieces));
    pieces.length = 0;
    return { ...(part.head ?? notNull(snapshotPackage)), files: join(snapshotPackage?.files ?? [], part) };
  }

  return {
    keep({ hash, bytes, ends }: Extract<ToEngine, { readonly kind: 'package' }>): void {
      const arrival = arriving.get(hash) ?? { pieces: [], snapshotPackage: null };
      arriving.set(hash, arrival);
      arrival.pieces.push(bytes);
      if (ends === null) return;
      arrival.snapshotPackage = takePart(hash);
      if (ends === 'part') return;
      packagesByHash.set(hash, arrival.snapshotPackage);
      arriving.delete(hash);
    },
    forget(hash: string): void {
      packagesByHash.delete(hash);
      arriving.delete(hash);
    },
    /** Adds its packages to a request. */
    complete(request: ExecutionRequest, hashes: readonly string[]): ExecutionRequest {
      if (hashes.length === 0) return request;
      const packages = hashes.map((hash) => entryOf(packagesByHash, hash));
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
function takePackages(request: ExecutionRequest): {
  readonly packages: readonly SnapshotPackage[];
  readonly request: ExecutionRequest;
} {
  const { work } = request;
  if (work.kind !== 'sql') return { packages: work.snapshot.packages, request: withPackages(request, []) };
  const { source } = work;
  if (source.text.length <= PART_CHARACTERS) return { packages: [], request };
  return {
    packages: [{ id: '', name: '', files: [source], unreadable: [], imports: {} }],
    request: withText(request, ''),
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
