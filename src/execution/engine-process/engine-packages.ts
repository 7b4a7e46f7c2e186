import { createHash } from 'node:crypto';
import type { SnapshotPackage } from '../../engine/project/snapshot.ts';
import { entryOf } from '../../invariants/must.ts';
import { takeTurn } from '../../turns/take-turn.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { ToEngine } from './engine-messages.ts';
import { serializeParts, takePackages } from './package-parts.ts';

/** Maximum size of the packages that an engine keeps, in bytes, besides those of the last requests. */
const KEPT_BYTES = 64 * 1024 ** 2;

/**
 * Bytes that are hashed or sent at once, before other work gets a turn. A part with one-byte characters is one piece.
 */
const PIECE_BYTES = 544 * 1024;

/** Sends a message and an optional handle after all earlier messages; `onLeft` is called when it has been sent. */
export type Send = (message: ToEngine, handle?: object, onLeft?: () => void) => void;

/** A request to be sent under a key. */
interface Delivery {
  readonly key: string;
  readonly request: ExecutionRequest;
  /** Whether the engine should still run it. */
  readonly isWanted: boolean;
  /** Called when it is sent. */
  onSent(): void;
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
  const kept = createKept();
  /** Packages that are being sent. */
  const sending = new Map<string, Promise<void>>();

  async function provide(own: Serialized, delivery: Delivery): Promise<void> {
    while (sending.has(own.hash)) await sending.get(own.hash);
    if (kept.use(own.hash) || !delivery.isWanted) return;
    const done = sendParts(own, delivery).finally(() => sending.delete(own.hash));
    sending.set(own.hash, done);
    await done;
  }

  async function sendParts(own: Serialized, delivery: Delivery): Promise<void> {
    const { hash, parts } = own;
    for (const piece of cutParts(parts)) {
      if (!delivery.isWanted) break;
      const left = Promise.withResolvers<void>();
      send({ kind: 'package', hash, ...piece }, undefined, () => left.resolve());
      if (piece.ends === 'package') kept.add(own);
      else await left.promise;
    }
    if (!kept.use(hash)) send({ kind: 'forget', hash });
  }

  return async (delivery: Delivery): Promise<void> => {
    const { packages, rest } = takePackages(delivery.request);
    const hashes: string[] = [];
    try {
      for (const own of packages) {
        const serialized = await serializePackage(own, delivery);
        if (serialized === null) return;
        hashes.push(serialized.hash);
        kept.need(serialized.hash);
        await provide(serialized, delivery);
      }
      if (!delivery.isWanted) return;
      send({ kind: 'run', key: delivery.key, request: rest, packages: hashes });
      delivery.onSent();
    } finally {
      for (const hash of hashes) kept.needNoMore(hash);
      const old = hashes.length === 0 ? [] : kept.takeOldest(keptBytes);
      for (const hash of old) send({ kind: 'forget', hash });
    }
  };
}

/** The packages that an engine keeps, from the parent's side. */
function createKept() {
  /** Bytes by hash, the most recently used last. */
  const kept = new Map<string, number>();
  /** How many requests in transfer need each package. */
  const needs = new Map<string, number>();
  let total = 0;
  return {
    add({ hash, bytes }: Serialized): void {
      kept.set(hash, bytes);
      total += bytes;
    },
    /** Whether the engine has it; marks it as used. */
    use(hash: string): boolean {
      const bytes = kept.get(hash);
      if (bytes === undefined) return false;
      kept.delete(hash);
      kept.set(hash, bytes);
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
      for (const [hash, bytes] of kept) {
        if (total <= maxBytes) break;
        if (needs.has(hash)) continue;
        kept.delete(hash);
        total -= bytes;
        taken.push(hash);
      }
      return taken;
    },
  };
}

/** Serializes a package; null when the request is no longer wanted. */
async function serializePackage(own: SnapshotPackage, delivery: Delivery): Promise<Serialized | null> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let bytes = 0;
  const characters = own.files.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > PIECE_BYTES) await takeTurn();
  for (const part of serializeParts(own)) {
    parts.push(part);
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      const piece = part.subarray(at, at + PIECE_BYTES);
      hash.update(piece);
      bytes += piece.length;
      if (bytes > PIECE_BYTES) await takeTurn();
      if (!delivery.isWanted) return null;
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
