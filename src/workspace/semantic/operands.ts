/** What the operators of a question take. */
export { OPERANDS } from '../../semantic/read-query.ts';
