import type { ResultColumn } from '../results/source/result-source.ts';

/** What a column can be in a chart: a measure, a point in time, a time of day, or a name. */
export type ColumnRole = 'number' | 'time' | 'clock' | 'name';

/** The role of a column; null if a chart cannot show its values. */
export function roleOf({ type, valueType }: ResultColumn): ColumnRole | null {
  switch (type) {
    case 'INTEGER':
    case 'DECIMAL':
    case 'DOUBLE':
      return 'number';
    case 'DATE':
    case 'TIMESTAMP':
      return 'time';
    case 'TIME':
      return valueType.kind === 'time' ? 'clock' : 'name';
    case 'STRING':
    case 'BOOLEAN':
      return 'name';
    default:
      return null;
  }
}

/** Whether the numbers of a column identify something, so that their sum or their size means nothing. */
export function isIdentifier({ name }: ResultColumn): boolean {
  return /(^|[\s._-])(id|key|code|uuid)$/i.test(name) || /[a-z](Id|Key|Code)$/.test(name);
}
