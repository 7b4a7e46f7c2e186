import { Type } from 'typebox';
import { type Fields, readCount, readString, readTime } from '../../errors/fields.ts';
import type { LogRange } from '../../workspace/api/accounts-api.ts';
import { createTime } from '../http/text-schemas.ts';

/** The parameters of a query that say how much of a log is wanted. */
export const RANGE_QUERY = {
  since: Type.Optional(createTime('A day or a moment of ISO 8601')),
  until: Type.Optional(createTime('The moment after the last one wanted')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '100 if left out' })),
  before: Type.Optional(Type.String({ description: 'The id of an entry: older ones only' })),
};

/** What those parameters say. Throws 400. */
export function readRange(fields: Fields): LogRange {
  return {
    since: readTime(fields, 'since', 'Since'),
    until: readTime(fields, 'until', 'Until'),
    limit: readCount(fields, 'limit', 'Limit'),
    before: readString(fields, 'before', 'Before'),
  };
}
