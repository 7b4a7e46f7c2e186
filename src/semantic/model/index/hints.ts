import { suggest } from '../../../text/suggest.ts';
import type { IndexedEntity, ModelIndex } from './index-model.ts';

/** Names of operators in SQL and in everyday use. */
const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  '=': 'EQUALS',
  '==': 'EQUALS',
  IN: 'EQUALS',
  IS: 'EQUALS',
  '!=': 'NOT_EQUALS',
  '<>': 'NOT_EQUALS',
  NOT_IN: 'NOT_EQUALS',
  '>': 'GREATER_THAN',
  '>=': 'GREATER_THAN_OR_EQUAL',
  '<': 'LESS_THAN',
  '<=': 'LESS_THAN_OR_EQUAL',
  LIKE: 'CONTAINS',
  ILIKE: 'CONTAINS',
  BETWEEN: 'IN_DATE_RANGE',
  BEFORE: 'BEFORE_DATE',
  AFTER: 'AFTER_DATE',
  SINCE: 'AFTER_OR_ON_DATE',
};

/** The operator that an unknown name probably means. */
export function hintOperator(type: string, known: readonly string[]): string | undefined {
  const word = type.toUpperCase();
  return ask(Object.hasOwn(OPERATOR_WORDS, word) ? OPERATOR_WORDS[word] : suggest(type, known));
}

/** The entity or path that an unknown name probably means. */
export function hintEntity({ entities }: ModelIndex, name: string): string | undefined {
  const near = suggest(name, entities.keys());
  if (near !== undefined) return ask(near);
  const dot = name.lastIndexOf('.');
  const start = dot > 0 ? entities.get(name.slice(0, dot)) : undefined;
  const step = start && suggest(name.slice(dot + 1), start.steps.keys());
  return step && ask(`${name.slice(0, dot)}.${step}`);
}

type Wanted = 'dimension' | 'measure' | 'field';

/** A hint for an unknown field: a similar dimension or measure, or one of the other kind. */
export function hintField(
  { entities }: ModelIndex,
  owner: IndexedEntity,
  name: string,
  wanted: Wanted,
): string | undefined {
  if (listFields(owner, 'field').includes(name)) {
    return `use it as a ${wanted === 'measure' ? 'dimension' : 'measure'}`;
  }
  const grain = wanted === 'measure' ? undefined : hintGrain(owner, name);
  if (grain !== undefined) return grain;
  const near = suggest(name, listFields(owner, wanted));
  if (near !== undefined) return ask(near);
  const elsewhere = [...entities.values()].find((entity) => listFields(entity, wanted).includes(name));
  return elsewhere && ask(`${elsewhere.entity.name}.${name}`);
}

function listFields({ dimensions, measures }: IndexedEntity, wanted: Wanted): readonly string[] {
  return [
    ...(wanted === 'measure' ? [] : dimensions.keys()),
    ...(wanted === 'dimension' ? [] : measures.keys()),
  ];
}

/** A hint for a grain: its real name, or a grain that the model could add. */
function hintGrain({ dimensions }: IndexedEntity, name: string): string | undefined {
  const [, base = '', unit = ''] = /^(.+)[:_](day|week|month|quarter|year)$/i.exec(name) ?? [];
  const dimension = dimensions.get(base)?.dimension;
  if (dimension?.dataType !== 'DATE' && dimension?.dataType !== 'DATETIME') return undefined;
  const grain = unit.toLowerCase();
  if (dimensions.has(`${base}_${grain}`)) return ask(`${base}_${grain}`);
  return `add \`x_grains: [${grain}]\` to ${base} in the model`;
}

function ask(meant: string | undefined): string | undefined {
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`;
}
