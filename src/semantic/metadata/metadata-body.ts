import { type Static, Type } from 'typebox';
import { AGGREGATION_TYPES, DATA_TYPES, JOIN_TYPES, MEASURE_TYPES } from '../model/model.ts';

const Label = Type.Optional(Type.String({ description: 'Name to show' }));
const Description = Type.Optional(Type.String());
const Expr = Type.String({ description: 'SQL' });
const Hidden = Type.Boolean({ description: 'Whether it is hidden from queries' });

const DimensionSchema = Type.Object(
  { name: Type.String(), label: Label, data_type: Type.Enum([...DATA_TYPES]), hidden: Hidden, expr: Expr },
  { title: 'Dimension' },
);
export type DimensionBody = Static<typeof DimensionSchema>;

const MeasureSchema = Type.Object(
  {
    name: Type.String(),
    label: Label,
    data_type: Type.Enum([...MEASURE_TYPES]),
    hidden: Hidden,
    expr: Expr,
    aggregation_type: Type.Enum([...AGGREGATION_TYPES]),
  },
  { title: 'Measure' },
);
export type MeasureBody = Static<typeof MeasureSchema>;

const RelationshipSchema = Type.Object(
  {
    name: Type.String(),
    join_type: Type.Enum([...JOIN_TYPES]),
    to_entity: Type.String(),
    expr: Expr,
  },
  { title: 'Relationship' },
);
export type RelationshipBody = Static<typeof RelationshipSchema>;

const EntitySchema = Type.Object(
  {
    name: Type.String(),
    label: Label,
    description: Description,
    table_name: Type.Optional(
      Type.String({ description: 'Name of the table; mutually exclusive with `query`' }),
    ),
    query: Type.Optional(Type.String({ description: 'SQL query; mutually exclusive with `table_name`' })),
    dimensions: Type.Array(DimensionSchema),
    measures: Type.Array(MeasureSchema),
    relationships: Type.Array(RelationshipSchema),
  },
  { title: 'Entity' },
);
export type EntityBody = Static<typeof EntitySchema>;

const DomainSchema = Type.Object(
  { name: Type.String(), label: Label, description: Description, entities: Type.Array(EntitySchema) },
  { title: 'Domain' },
);
export type DomainBody = Static<typeof DomainSchema>;

const LayerSchema = Type.Object(
  {
    name: Type.String(),
    label: Label,
    environment: Type.Object({ platform: Type.String({ examples: ['duckdb'] }) }),
    domains: Type.Array(DomainSchema),
  },
  { title: 'Layer' },
);
export type LayerBody = Static<typeof LayerSchema>;

/**
 * A model in the form of the metadata response (docs/reference/semantic-http.md#metadata-of-a-model): without
 * extensions, but with the dimensions that they add.
 */
export const MetadataSchema = Type.Object(
  { version: Type.String({ examples: ['1.0'] }), layers: Type.Array(LayerSchema) },
  { title: 'SemanticModel', description: 'Metadata of the semantic model' },
);
export type MetadataBody = Static<typeof MetadataSchema>;
