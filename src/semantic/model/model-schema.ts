import { type Static, Type } from 'typebox';
import { AGGREGATION_TYPES, DATA_TYPES, GRAINS, JOIN_TYPES, MEASURE_TYPES, PLATFORMS } from './model.ts';

/** What a name may be: no dot, which joins names, and nothing that cannot be seen. */
const NAME = '^(?!\\s)[^.\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]{1,255}(?<!\\s)$';
/** Anything but nothing, with at least one character that can be seen. */
const SQL = '\\S';

const name = (description: string) =>
  Type.String({
    description,
    pattern: NAME,
    patternErrorMessage: 'a name: 1 to 255 characters, no dot, and no space around it',
  });
const text = (description: string) => Type.String({ description });
const sql = (description: string) =>
  Type.String({ description, pattern: SQL, patternErrorMessage: 'SQL, and not empty' });

/** One of some words, in any case; editors complete them as they stand here. */
const word = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({
    description,
    type: 'string',
    anyOf: [{ enum: words }, { pattern: `^(${words.map(toAnyCase).join('|')})$` }],
  });

function toAnyCase(word: string): string {
  return word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}

const label = Type.Optional(text('What people call it.'));
const description = Type.Optional(text('What it is, in a sentence.'));
const fieldDescription = Type.Optional(
  text('What it is, in a sentence; shown by explain and explore, and no part of the metadata.'),
);
const hidden = Type.Optional(Type.Boolean({ description: 'Cannot be asked for.' }));
const synonyms = Type.Optional(
  Type.Array(Type.String(), { description: 'Other words that people have for it.' }),
);
const closed = (title: string) => ({ title, additionalProperties: false });

const dimension = Type.Object(
  {
    name: name("Unique among the entity's dimensions and measures."),
    label,
    data_type: word(DATA_TYPES, 'The type of its values.'),
    hidden,
    expr: sql("SQL over the entity's columns, without aggregates."),
    x_grains: Type.Optional(
      Type.Array(word(GRAINS, 'A unit of time.'), {
        description:
          'Of a DATE or DATETIME: adds dimensions that cut it to these units, such as <name>_month.',
      }),
    ),
    x_case_sensitive: Type.Optional(
      Type.Boolean({ description: 'Of a TEXT: CONTAINS and its like match only as it is written.' }),
    ),
    x_description: fieldDescription,
    x_synonyms: synonyms,
  },
  closed('dimension'),
);

const measure = Type.Object(
  {
    name: name("Unique among the entity's dimensions and measures."),
    label,
    data_type: word(MEASURE_TYPES, 'The type of its value.'),
    hidden,
    expr: sql('What is aggregated; for CUSTOM, the whole expression; for COUNT, * counts rows.'),
    aggregation_type: word(AGGREGATION_TYPES, 'How it is aggregated.'),
    x_filter: Type.Optional(
      sql("SQL over the entity's columns: rows for which it does not hold do not count."),
    ),
    x_description: fieldDescription,
    x_synonyms: synonyms,
  },
  closed('measure'),
);

const relationship = Type.Object(
  {
    name: name("Unique among the entity's relationships."),
    join_type: word(JOIN_TYPES, 'How many rows of this entity belong to how many of the other.'),
    to_entity: Type.String({ description: 'Name of the other entity.' }),
    expr: sql("The join's condition: SQL in which columns are qualified by the two entities' names."),
  },
  closed('relationship'),
);

const unreachable = Type.Object(
  {
    to_entity: Type.String({ description: 'Name of the other entity.' }),
    join_type: Type.Optional(
      word(JOIN_TYPES, 'How many rows of this entity belong to how many of the other, where it is known.'),
    ),
    reason: Type.String({
      description: 'Why the relationship has no SQL: part of the refusal.',
      pattern: SQL,
      patternErrorMessage: 'a sentence, and not empty',
    }),
  },
  closed('unreachable entity'),
);

const entity = Type.Object(
  {
    name: name('Unique in the whole model.'),
    label,
    description,
    table_name: Type.Optional(sql('The table with its rows, as it stands in SQL.')),
    query: Type.Optional(sql('In place of a table: a query for its rows.')),
    x_primary_key: Type.Optional(
      Type.Array(sql('A column.'), { description: 'Columns that tell its rows apart.', minItems: 1 }),
    ),
    dimensions: Type.Optional(Type.Array(dimension)),
    measures: Type.Optional(Type.Array(measure)),
    relationships: Type.Optional(Type.Array(relationship)),
    x_unreachable: Type.Optional(
      Type.Array(unreachable, {
        description:
          'Relationships that exist and cannot be written in SQL: a question whose path needs one is refused.',
      }),
    ),
    x_synonyms: synonyms,
  },
  { ...closed('entity'), oneOf: [{ required: ['table_name'] }, { required: ['query'] }] },
);

const domain = Type.Object(
  {
    name: name('Unique in the layer.'),
    label,
    description,
    entities: Type.Array(entity),
    x_synonyms: synonyms,
  },
  closed('domain'),
);

const environment = Type.Object(
  { platform: word(PLATFORMS, 'The platform that SQL is made for.') },
  closed('environment'),
);

const layer = Type.Object(
  {
    name: name('Unique in the model.'),
    label,
    environment,
    domains: Type.Array(domain),
    x_timezone: Type.Optional(text('The time zone of its DATETIMEs, such as Europe/Berlin (default: UTC).')),
    x_synonyms: synonyms,
  },
  closed('layer'),
);

/**
 * A file of a semantic model (interface 2.7, semantic 1): what reading checks it against, and what editors complete it
 * by. Faults in single values are those of this schema; `check-model` finds the others.
 */
export const modelSchema = Type.Object(
  {
    version: Type.Unsafe<'1.0'>({ description: 'The version of these keys.', type: 'string', enum: ['1.0'] }),
    layers: Type.Array(layer),
  },
  closed('model'),
);

/** A file of a model as it is written, sound in its form. */
export type ModelDocument = Static<typeof modelSchema>;
export type LayerDocument = Static<typeof layer>;
export type DomainDocument = Static<typeof domain>;
export type EntityDocument = Static<typeof entity>;
export type DimensionDocument = Static<typeof dimension>;
export type MeasureDocument = Static<typeof measure>;
export type RelationshipDocument = Static<typeof relationship>;
export type UnreachableDocument = Static<typeof unreachable>;
