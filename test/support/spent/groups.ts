import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Parts of the tests that are measured, and can be run, separately. */
export const GROUPS = [
  'source',
  'command line',
  'server',
  'console',
  'documentation',
  'databases',
  'Trino',
  'identity providers',
  'generated requests',
] as const;

export type Group = (typeof GROUPS)[number];

const tests = path.resolve(import.meta.dirname, '../..');

/** The first pattern that matches the path below `test` gives the group. */
const PATTERNS: readonly (readonly [RegExp, Group])[] = [
  [/^acceptance\/http\/(?:schemathesis|any-request|scim-fuzz|model)\./, 'generated requests'],
  [/^acceptance\/sso\//, 'identity providers'],
  [/\btrino\//, 'Trino'],
  [/^(?:acceptance\/(?:console|lineage)|web)\//, 'console'],
  [/^(?:acceptance\/deploy|docs|documentation|words)\//, 'documentation'],
  [/^acceptance\/cli\/(?:warehouse|postgresql|mariadb)/, 'databases'],
  [/^engine\/connection\/(?:postgresql|mysql)\//, 'databases'],
  [/^(?:acceptance\/cli|bin|cli)\//, 'command line'],
  [/^acceptance\//, 'server'],
];

/** The path of a file of tests below `test`. */
export function toName(file: string): string {
  return path.relative(tests, file).replaceAll(path.sep, '/');
}

/** The opposite of `toName`. */
export function toFile(name: string): string {
  return path.join(tests, name);
}

/** The group of a file of tests, by its absolute path. */
export function findGroup(file: string): Group {
  if (findCluster(file) !== null) return 'Trino';
  const name = toName(file);
  return PATTERNS.find(([pattern]) => pattern.test(name))?.[1] ?? 'source';
}

/** Which cluster of Trino a file uses (`trino/use-cluster.ts`), itself or for one of several kinds; null for none. */
export function findCluster(file: string): 'one node' | 'three nodes' | null {
  const text = readFileSync(file, 'utf8');
  if (!/\buse(?:Cluster|Kinds)\(/.test(text)) return null;
  return /\buseCluster\(THREE_NODES\)/.test(text) ? 'three nodes' : 'one node';
}
