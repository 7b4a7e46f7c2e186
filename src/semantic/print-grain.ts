import type { Dimension, Grain, Layer } from './model.ts';
import type { Dialect } from './sql/dialect.ts';
import { DIALECTS } from './sql/dialects.ts';

/** What cuts the dates or moments of a dimension to a grain, in the SQL of its layer's platform, as far as that is known. */
export function printGrain(
  { expr, dataType }: Dimension,
  grain: Grain,
  { platform, timezone }: Pick<Layer, 'platform' | 'timezone'>,
): string {
  const dialect = (DIALECTS as Readonly<Record<string, Dialect>>)[platform];
  if (dialect === undefined) return `DATE_TRUNC('${grain}', ${expr})`;
  const isMoment = dataType === 'DATETIME' && !/^(?:etc\/)?utc$/i.test(timezone);
  const local = isMoment ? dialect.toLocal?.(`(${expr})`, dialect.quoteText(timezone)) : undefined;
  return dialect.grains[grain](local ?? expr);
}
