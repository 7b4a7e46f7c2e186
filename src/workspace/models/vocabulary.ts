/** The types of members of a model. */
export { AGGREGATION_TYPES, DATA_TYPES, JOIN_TYPES, MEASURE_TYPES } from '../../semantic/model/model.ts';
/** The operands that the operators of a semantic query take. */
export { OPERANDS } from '../../semantic/query/read-query.ts';
