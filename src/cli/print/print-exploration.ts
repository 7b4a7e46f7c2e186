import { pickByKind } from '../../invariants/narrow.ts';
import type { Exploration, Together } from '../../semantic/metadata/explore-model.ts';
import { printAligned } from '../terminal/print-aligned.ts';

/** The maximum of names in a line; the rest is counted. */
const MAX_NAMES = 12;

/** The contents of a model, as tables for people. */
export function printExploration(exploration: Exploration): string {
  return pickByKind<Exploration, [], string>(PRINTERS, exploration)(exploration);
}

type Of<K extends Exploration['kind']> = Extract<Exploration, { kind: K }>;
type Field = Of<'field'>['field'];
type Dimension = Of<'entity'>['dimensions'][number];
type Measure = Of<'entity'>['measures'][number];

const PRINTERS: { readonly [K in Exploration['kind']]: (exploration: Of<K>) => string } = {
  model: ({ domains = [], entities }) =>
    [
      [['domain', 'about'], ...domains.map((domain) => [domain.name, toLine(printWords(domain))])],
      [
        ['entity', 'dimensions', 'measures', 'related', 'about'],
        ...entities.map((entity) => [
          entity.name,
          String(entity.dimensions),
          String(entity.measures),
          joinNames(entity.related),
          toLine(printWords(entity)),
        ]),
      ],
    ]
      .filter((rows, at) => rows.length > 1 || at > 0)
      .map(printAligned)
      .join('\n'),
  entity: ({ name, dimensions, measures, relationships, unreachable = [] }) =>
    [
      [['dimension', 'type', 'about'], ...dimensions.map((field) => printField(name, field))],
      [['measure', 'type', 'about'], ...measures.map((field) => printField(name, field))],
      [
        ['relationship', 'to', ''],
        ...relationships.map((one) => [
          `${name}.${one.name}`,
          one.to_entity,
          one.to_many ? 'a row may have several' : '',
        ]),
      ],
      [['unreachable', 'why'], ...unreachable.map((one) => [one.to_entity, toLine(one.reason)])],
    ]
      .filter((rows) => rows.length > 1)
      .map(printAligned)
      .join('\n'),
  field: ({ entity, field, together }) => {
    const others = 'aggregation_type' in field ? 'with dimensions' : 'with measures';
    const [name = '', type = '', about = ''] = printField(entity, field);
    return [
      printAligned([[name, type, about]]),
      printAligned([[others, 'how'], ...together.map((one) => [printFields(one), printAnswer(one)])]),
    ].join('\n');
  },
};

function printField(entity: string, field: Field): readonly string[] {
  const what = 'aggregation_type' in field ? printMeasure(field) : printDimension(field);
  const words = printWords(field);
  return [`${entity}.${field.name}`, field.data_type, toLine(words === '' ? what : `${words}: ${what}`)];
}

/** Joins SQL and descriptions of several lines. */
function toLine(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]\s*/g, ' ');
}

function printDimension({ expr, x_grain: grain }: Dimension): string {
  return grain === undefined ? expr : `${grain} of ${expr}`;
}

function printMeasure({ aggregation_type: type, expr, x_filter: filter }: Measure): string {
  const what = type === 'CUSTOM' ? expr : `${type}(${expr})`;
  return filter === undefined ? what : `${what} where ${filter}`;
}

function printWords({
  label,
  description,
  synonyms = [],
}: {
  readonly label?: string;
  readonly description?: string;
  readonly synonyms?: readonly string[];
}): string {
  const also = synonyms.length === 0 ? undefined : `(${synonyms.join(', ')})`;
  return [label, description, also].filter((word) => word !== undefined).join(' ');
}

function printFields({ entity, fields }: Together): string {
  return `${entity}: ${joinNames(fields)}`;
}

function printAnswer({ answer, path, reason }: Together): string {
  const way = path.length === 0 ? '' : `over ${path.join(', ')}`;
  if (answer === 'no') return `no: ${reason}`;
  return answer === 'yes' ? way || 'yes' : `${way}; groups overlap`;
}

function joinNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  if (more <= 0) return names.join(', ');
  return `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more`;
}
