/** What the members of a model may be. */
export { AGGREGATION_TYPES, DATA_TYPES, JOIN_TYPES, MEASURE_TYPES } from '../../semantic/model/model.ts';
/** What the operators of a question take. */
export { OPERANDS } from '../../semantic/query/read-query.ts';
