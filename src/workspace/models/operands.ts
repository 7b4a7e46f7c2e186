/** What the operators of a question take. */
export { OPERANDS } from '../../semantic/query/read-query.ts';
