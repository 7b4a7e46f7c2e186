import { type Static, Type } from 'typebox';
import { AGGREGATION_TYPES, DATA_TYPES, GRAINS, JOIN_TYPES, MEASURE_TYPES, PLATFORMS } from './model.ts';

/** The pattern of names: no dot, because dots join names, and no invisible characters. */
const NAME = '^(?!\\s)[^.\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]{1,255}(?<!\\s)$';
/** At least one visible character. */
const SQL = '\\S';

const name = (description: string) =>
  Type.String({
    description,
    pattern: NAME,
    patternErrorMessage: 'a name: 1 to 255 characters, without dots, and without spaces at its ends',
  });
const text = (description: string) => Type.String({ description });
const sql = (description: string) =>
  Type.String({ description, pattern: SQL, patternErrorMessage: 'SQL that is not empty' });

/** One of some words, in any case; editors complete them as written here. */
const word = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>({
    description,
    type: 'string',
    anyOf: [{ enum: words }, { pattern: `^(${words.map(toAnyCase).join('|')})$` }],
  });

function toAnyCase(word: string): string {
  return word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}

const label = Type.Optional(text('The name that people see.'));
const description = Type.Optional(text('A description in one sentence.'));
const fieldDescription = Type.Optional(
  text('A description in one sentence; explain and explore show it, the metadata does not.'),
);
const hidden = Type.Optional(Type.Boolean({ description: 'Hides it from queries.' }));
const synonyms = Type.Optional(
  Type.Array(Type.String(), { description: 'Other names that people use for it.' }),
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
          'For a DATE or DATETIME: adds dimensions that truncate it to these units, such as <name>_month.',
      }),
    ),
    x_case_sensitive: Type.Optional(
      Type.Boolean({ description: 'For a TEXT: CONTAINS and similar operators are case-sensitive.' }),
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
    expr: sql('The aggregated expression; for CUSTOM, the whole expression; for COUNT, * counts rows.'),
    aggregation_type: word(AGGREGATION_TYPES, 'The aggregation.'),
    x_filter: Type.Optional(sql("SQL over the entity's columns: only rows that satisfy it count.")),
    x_description: fieldDescription,
    x_synonyms: synonyms,
  },
  closed('measure'),
);

const relationship = Type.Object(
  {
    name: name("Unique among the entity's relationships."),
    join_type: word(JOIN_TYPES, 'The cardinality from this entity to the other.'),
    to_entity: Type.String({ description: 'The name of the other entity.' }),
    expr: sql(
      'The condition of the join: SQL whose columns are qualified with the names of the two entities.',
    ),
  },
  closed('relationship'),
);

const unreachable = Type.Object(
  {
    to_entity: Type.String({ description: 'The name of the other entity.' }),
    join_type: Type.Optional(
      word(JOIN_TYPES, 'The cardinality from this entity to the other, if it is known.'),
    ),
    reason: Type.String({
      description: 'Why the relationship has no SQL; part of the error message.',
      pattern: SQL,
      patternErrorMessage: 'a sentence that is not empty',
    }),
  },
  closed('unreachable entity'),
);

const entity = Type.Object(
  {
    name: name('Unique in the whole model.'),
    label,
    description,
    table_name: Type.Optional(sql('The table with the rows, as written in SQL.')),
    query: Type.Optional(sql('Instead of a table: a query that returns the rows.')),
    x_primary_key: Type.Optional(
      Type.Array(sql('A column.'), { description: 'The columns that identify a row.', minItems: 1 }),
    ),
    dimensions: Type.Optional(Type.Array(dimension)),
    measures: Type.Optional(Type.Array(measure)),
    relationships: Type.Optional(Type.Array(relationship)),
    x_unreachable: Type.Optional(
      Type.Array(unreachable, {
        description:
          'Relationships that exist but cannot be written in SQL: a query whose path needs one is refused.',
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
  { platform: word(PLATFORMS, 'The platform of the generated SQL.') },
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
 * The schema of a model file (docs/reference/semantic-model.md#keys), for validation and for completion in editors. It
 * covers errors in single values; `check-model` finds the others.
 */
export const modelSchema = Type.Object(
  {
    version: Type.Unsafe<'1.0'>({ description: 'The version of these keys.', type: 'string', enum: ['1.0'] }),
    layers: Type.Array(layer),
  },
  closed('model'),
);

/** A valid file of a model, as written. */
export type ModelDocument = Static<typeof modelSchema>;
export type LayerDocument = Static<typeof layer>;
export type DomainDocument = Static<typeof domain>;
export type EntityDocument = Static<typeof entity>;
export type DimensionDocument = Static<typeof dimension>;
export type MeasureDocument = Static<typeof measure>;
export type RelationshipDocument = Static<typeof relationship>;
export type UnreachableDocument = Static<typeof unreachable>;
