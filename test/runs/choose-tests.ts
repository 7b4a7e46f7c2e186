import path from 'node:path';
import { AREAS, type Area, findAreas, listNamed, SOURCE_RULES } from './areas.ts';
import { findCommands, findUses } from './commands.ts';
import { findDistances, type ImportGraph } from './import-graph.ts';
import { findMirrored } from './mirror.ts';

/** Why a change can break a test; the first reasons are the strongest. */
export const REASONS = ['changed', 'rules', 'mirror', 'distance 1', 'distance 2', 'command', 'area'] as const;

type Reason = (typeof REASONS)[number];

/** A file of tests, or a page whose examples run. */
export interface Candidate {
  readonly file: string;
  readonly reason: Reason;
  /** The changed path of the area; null for other reasons. */
  readonly area: string | null;
}

export interface Project {
  readonly files: readonly string[];
  readonly graph: ImportGraph;
  readonly read: (file: string) => string;
}

/** The longest chain of imports between a test and a changed file. */
const MAX_DISTANCE = 2;

export const isTest = (file: string): boolean => file.startsWith('test/') && file.endsWith('.test.ts');
const isPage = (file: string) => file === 'README.md' || /^docs\/(?!tutorial\/).*\.md$/.test(file);

/** The tests and pages that a change can break, each once, with its strongest reason first. */
export function findCandidates(
  changed: readonly string[],
  { files, graph, read }: Project,
  areas: readonly Area[] = AREAS,
): readonly Candidate[] {
  const tests = files.filter(isTest);
  const existing = new Set(files);
  const toCandidates = (reason: Reason, names: readonly string[], area: string | null = null) =>
    names.map((file) => ({ file, reason, area }));
  const distances = [...findDistances(graph, changed, { max: MAX_DISTANCE, withTypes: false })];
  const listAt = (own: number) =>
    distances.filter(([file, distance]) => distance === own && isTest(file)).map(([file]) => file);
  const ofAreas = changed
    .flatMap((file) => findAreas(file, areas))
    .toSorted((one, other) => other.changed.length - one.changed.length);
  const all = [
    ...toCandidates(
      'changed',
      changed.filter((file) => existing.has(file) && (isTest(file) || isPage(file))),
    ),
    ...toCandidates(
      'rules',
      changed.some((file) => /^(?:src|web)\//.test(file))
        ? SOURCE_RULES.flatMap((entry) => listNamed(entry, files))
        : [],
    ),
    ...toCandidates(
      'mirror',
      changed.flatMap((file) => findMirrored(file, tests)),
    ),
    ...toCandidates('distance 1', listAt(1)),
    ...toCandidates('distance 2', listAt(2)),
    ...toCandidates(
      'command',
      findCommands(graph, changed).flatMap((command) => findUses(command, files, read)),
    ),
    ...ofAreas.flatMap((own) =>
      toCandidates(
        'area',
        own.tests.flatMap((entry) => listNamed(entry, files)),
        own.changed,
      ),
    ),
  ];
  return [...Map.groupBy(all, ({ file }) => file).values()].flatMap(([first]) => (first ? [first] : []));
}

export interface Costs {
  /** The time of a test or page alone. */
  readonly secondsOf: (file: string) => number;
  /** The cluster that a test starts; null for none. */
  readonly clusterOf: (file: string) => string | null;
  readonly clusterSeconds: number;
}

export interface Choice {
  readonly chosen: readonly Candidate[];
  readonly leftOut: readonly Candidate[];
  /** The sum of the times of the chosen ones. */
  readonly seconds: number;
}

/**
 * Chooses the candidates that fit in a number of seconds, by reason and then the shortest first; at least one. Those
 * that start a cluster are last, and the first of a cluster also costs its start.
 */
export function chooseTests(candidates: readonly Candidate[], budget: number, costs: Costs): Choice {
  const started = new Set<string>();
  const [chosen, leftOut]: [Candidate[], Candidate[]] = [[], []];
  let seconds = 0;
  for (const candidate of sortCandidates(candidates, costs)) {
    const cluster = costs.clusterOf(candidate.file);
    const start = cluster === null || started.has(cluster) ? 0 : costs.clusterSeconds;
    const cost = costs.secondsOf(candidate.file) + start;
    if (seconds + cost > budget && chosen.length > 0) {
      leftOut.push(candidate);
      continue;
    }
    seconds += cost;
    chosen.push(candidate);
    if (cluster !== null) started.add(cluster);
  }
  return { chosen, leftOut, seconds };
}

function sortCandidates(candidates: readonly Candidate[], costs: Costs): readonly Candidate[] {
  const rankOf = ({ file, reason, area }: Candidate, place: number) => [
    costs.clusterOf(file) !== null && reason !== 'changed' ? 1 : 0,
    REASONS.indexOf(reason),
    -(area?.length ?? 0),
    // Mirrored tests are in the order of their names' similarity, those of a command in the order of their mentions.
    reason === 'mirror' || reason === 'command' ? place : costs.secondsOf(file),
  ];
  return candidates
    .map((candidate, place) => ({ candidate, rank: rankOf(candidate, place) }))
    .toSorted((one, other) => compare(one.rank, other.rank))
    .map(({ candidate }) => candidate);
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** Names a folder in place of its tests if it contains no other tests. */
export function shorten(names: readonly string[], tests: readonly string[]): readonly string[] {
  const own = new Set(names);
  const toFolder = (name: string) => {
    const parts = path.posix.dirname(name).split('/');
    const folders = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
    return folders.find((folder) => tests.every((test) => !test.startsWith(folder) || own.has(test))) ?? name;
  };
  return [...new Set(names.map(toFolder))].sort();
}
