import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { SnapshotPackage } from '../engine/project/snapshot.ts';
import type { ToEngine } from './engine-messages.ts';
import type { ExecutionRequest } from './request.ts';

/** Bytes of packages that an engine keeps at most, beside those of the last request. */
const KEPT_BYTES = 64 * 1024 ** 2;

type Send = (message: ToEngine) => void;

/** Sends requests to one engine, each package once for as long as the engine keeps it. */
export function createRequestSender(send: Send, keptBytes = KEPT_BYTES) {
  /** Bytes by hash, the one that was used last at the end. */
  const kept = new Map<string, number>();
  let total = 0;

  function sendPackage(own: SnapshotPackage): string {
    const bytes = serialize(own);
    const name = hash('sha256', bytes);
    if (!kept.delete(name)) {
      send({ kind: 'package', hash: name, bytes });
      total += bytes.length;
    }
    kept.set(name, bytes.length);
    return name;
  }

  function forgetOldest(): void {
    for (const [name, bytes] of kept) {
      if (total <= keptBytes) return;
      kept.delete(name);
      total -= bytes;
      send({ kind: 'forget', hash: name });
    }
  }

  return (key: string, request: ExecutionRequest): void => {
    const { work } = request;
    const packages = work.kind === 'sql' ? [] : work.snapshot.packages.map(sendPackage);
    send({ kind: 'run', key, request: withPackages(request, []), packages });
    forgetOldest();
  };
}

/** The packages that an engine keeps, as it is told. */
export function createPackageStore() {
  const kept = new Map<string, SnapshotPackage>();
  return {
    keep: (name: string, bytes: Uint8Array) => void kept.set(name, deserialize(bytes)),
    forget: (name: string) => void kept.delete(name),
    /** A request with its packages. */
    complete: (request: ExecutionRequest, packages: readonly string[]): ExecutionRequest =>
      withPackages(
        request,
        packages.map((name) => kept.get(name)!),
      ),
  };
}

function withPackages(request: ExecutionRequest, packages: readonly SnapshotPackage[]): ExecutionRequest {
  const { work } = request;
  if (work.kind === 'sql') return request;
  return { ...request, work: { ...work, snapshot: { ...work.snapshot, packages } } };
}
