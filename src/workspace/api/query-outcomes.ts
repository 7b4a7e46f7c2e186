export { OUTCOMES as QUERY_OUTCOMES } from '../../query-log/query.ts';
