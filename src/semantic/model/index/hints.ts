import { suggest } from '../../../engine/text/suggest.ts';
import type { IndexedEntity, ModelIndex } from './index-model.ts';

/** What SQL, and people, call some operators. */
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

/** The operator that an unknown one may have meant. */
export function hintOperator(type: string, known: readonly string[]): string | undefined {
  const word = type.toUpperCase();
  return ask(Object.hasOwn(OPERATOR_WORDS, word) ? OPERATOR_WORDS[word] : suggest(type, known));
}

/** The entity, or the path to one, that an unknown name may have meant. */
export function hintEntity({ entities }: ModelIndex, name: string): string | undefined {
  const near = suggest(name, entities.keys());
  if (near !== undefined) return ask(near);
  const dot = name.lastIndexOf('.');
  const start = dot > 0 ? entities.get(name.slice(0, dot)) : undefined;
  const step = start && suggest(name.slice(dot + 1), start.steps.keys());
  return step && ask(`${name.slice(0, dot)}.${step}`);
}

type Wanted = 'dimension' | 'measure' | 'field';

/** What may have been meant by a field that an entity does not have, as dimension, as measure or as either. */
export function hintField(
  { entities }: ModelIndex,
  owner: IndexedEntity,
  name: string,
  wanted: Wanted,
): string | undefined {
  if (listFields(owner, 'field').includes(name)) {
    return `ask for it as a ${wanted === 'measure' ? 'dimension' : 'measure'}`;
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

/** A grain of a date under its own name, or one that the model could have. */
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
