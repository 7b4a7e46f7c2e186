import type { Answer, Leg } from './answer.ts';
import type { Question } from './ask.ts';
import { listFields } from './fields.ts';
import { listStepsTo } from './join-tree.ts';
import { splitFilters } from './split-filters.ts';
import type { World } from './world.ts';

/** The coverage classes of a compared leg, by axis (docs/reference/semantic-numbers.md#how-the-numbers-are-tested). */
interface Traits {
  readonly template: string;
  readonly legs: string;
  readonly toMany: string;
  readonly keys: string;
  readonly filter: string;
}

const TEMPLATES = ['plain', 'distinct', 'numbered', 'reduced', 'exists'];
const LEGS = ['1 leg', '2 legs', '3 legs'];
const TO_MANY = ['no to-many', 'one to-many', 'siblings', 'chain'];
const KEYS = ['NULL keys', 'whole keys'];
const FILTERS = ['no filter', 'own filter', 'to-one filter', 'to-many filter', 'group filter'];

/** The relevant parts of a leg's plan: how its rows are identified, and its joins. */
interface LegPlan {
  readonly root: { readonly entity: string };
  readonly rows: 'once' | 'distinct' | 'numbered';
  readonly joins: readonly { readonly kind: string }[];
  readonly exists: readonly unknown[];
}

function listTemplates({ rows, joins, exists }: LegPlan): string[] {
  const found = [
    ...(rows === 'once' ? [] : [rows]),
    ...(joins.some(({ kind }) => kind === 'reduced') ? ['reduced'] : []),
    ...(exists.length > 0 ? ['exists'] : []),
  ];
  return found.length === 0 ? ['plain'] : found;
}

/** Classifies the to-many steps of a leg: none, one, several in a row, or several from one entity. */
function findToMany({ tree }: Leg): string {
  const places = tree.places.filter(({ step }) => step?.isToMany);
  if (places.length < 2) return TO_MANY[places.length]!;
  const isChain = places.some(
    ({ id }) => listStepsTo(tree, id).filter(({ isToMany }) => isToMany).length > 1,
  );
  return isChain ? 'chain' : 'siblings';
}

/** Classifies the filters of a leg: on its entity, across steps, or on the groups. */
function listFilters(world: World, { query }: Question, { tree }: Leg): string[] {
  const { below, above } = splitFilters(world, query);
  const places = listFields(below).map(({ entity }) => {
    const path = listStepsTo(tree, tree.placeOf.get(entity)!);
    if (path.length === 0) return 'own filter';
    return path.some(({ isToMany }) => isToMany) ? 'to-many filter' : 'to-one filter';
  });
  const found = new Set([...places, ...(above.length > 0 ? ['group filter'] : [])]);
  return found.size === 0 ? ['no filter'] : [...found];
}

/** Whether any key in the worlds' child tables is NULL. */
const hasNullKeys = ({ entities }: World) => entities.some(({ rows }) => rows.some(({ k0 }) => k0 === null));

const AXES: readonly (readonly [keyof Traits, readonly string[]])[] = [
  ['template', TEMPLATES],
  ['legs', LEGS],
  ['toMany', TO_MANY],
  ['keys', KEYS],
  ['filter', FILTERS],
];

/** Every axis with every later one. */
const TABLES = AXES.flatMap(([, rows], at) =>
  AXES.slice(at + 1).map(([, columns]) => [rows, columns] as const),
);

/** Repeated rows, reduced branches and EXISTS branches need a to-many step, and a plain leg has no filter over one. */
const IMPOSSIBLE =
  /^(distinct|numbered|reduced|exists) × no to-many$|^plain × to-many filter$|^no to-many × to-many filter$|^exists × no filter$/;

/**
 * Counts how often each pair of classes was compared with rows in the result. Except for plain legs, it counts only
 * queries that a naive join gets wrong.
 */
export class Coverage {
  readonly #counts = new Map<string, number>();
  /** Compared queries with rows, and how many of them a naive join answers wrongly. */
  compared = 0;
  differFromNaive = 0;

  add(world: World, question: Question, answer: Answer, plan: { readonly legs: readonly LegPlan[] }): void {
    if (answer.rows.length === 0) return;
    this.compared += 1;
    if (answer.differsFromNaive) this.differFromNaive += 1;
    for (const leg of answer.legs) {
      const own = plan.legs.find(({ root }) => root.entity === leg.entity)!;
      const shared = {
        legs: LEGS[Math.min(answer.legs.length, 3) - 1]!,
        toMany: findToMany(leg),
        keys: hasNullKeys(world) ? 'NULL keys' : 'whole keys',
      };
      const filters = listFilters(world, question, leg);
      for (const template of listTemplates(own)) {
        if (template !== 'plain' && !leg.differsFromNaive) continue;
        for (const filter of filters) this.#count({ template, filter, ...shared });
      }
    }
  }

  #count(traits: Traits): void {
    const values = AXES.map(([axis]) => traits[axis]);
    const pairs = values.flatMap((a, at) => values.slice(at + 1).map((b) => `${a} × ${b}`));
    for (const key of pairs) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The pairs of classes that were compared fewer times than `enough`, with their counts. */
  listRare(enough: number): readonly string[] {
    return TABLES.flatMap(([rows, columns]) =>
      rows.flatMap((row) => columns.map((column) => `${row} × ${column}`)),
    )
      .filter((name) => !IMPOSSIBLE.test(name) && this.#read(name) < enough)
      .map((name) => `${name} ${this.#read(name)}`);
  }

  /** All pairs of classes with their counts, axis by axis; a dash for an impossible pair. */
  print(): string {
    return TABLES.map(([rows, columns]) => {
      const lines = rows.map((row) => {
        const counts = columns.map((column) => {
          const name = `${row} × ${column}`;
          return IMPOSSIBLE.test(name) ? '–' : String(this.#read(name));
        });
        return printLine(row, counts);
      });
      return [printLine('', columns), ...lines].join('\n');
    }).join('\n\n');
  }

  #read(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

const printLine = (title: string, cells: readonly string[]) =>
  title.padEnd(16) + cells.map((cell) => cell.padStart(16)).join('');
