import { Type } from 'typebox';
import { queryCount, text, time } from '../fields/kinds.ts';

/** The parameters of a query that say how much of a log is wanted. */
export const RANGE = {
  since: time('Since', 'A day or a moment of ISO 8601'),
  until: time('Until', 'The moment after the last one wanted'),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: '100 if left out' }),
  before: text('Before', Type.String({ description: 'The id of an entry: older ones only' })),
};
