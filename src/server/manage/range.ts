import { Type } from 'typebox';
import { queryCount, text, time } from '../fields/kinds.ts';

/** The query parameters that select entries of a log. */
export const RANGE = {
  since: time('Since', 'Entries from this time on: an ISO 8601 date or time'),
  until: time('Until', 'Entries before this time: an ISO 8601 date or time'),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  before: text('Before', Type.String({ description: 'Id of an entry; returns only older entries' })),
};
