import { isUtc } from '../model/local-time.ts';
import type { Dimension, Grain, Layer } from '../model/model.ts';
import { DIALECTS } from './dialects.ts';

/**
 * Truncates the dates or DATETIME values of a dimension to a grain, in the SQL of its layer's platform; an ellipsis if
 * that is unknown.
 */
export function printGrain(
  { expr, dataType }: Dimension,
  grain: Grain,
  { platform, timezone }: Pick<Layer, 'platform' | 'timezone'>,
): string {
  const { grains, zones, hasSessionTime, quoteText } = DIALECTS[platform];
  const isMoved = hasSessionTime || !isUtc(timezone);
  const isLocal = dataType === 'DATETIME' && isMoved;
  const local = isLocal ? zones?.toLocal(`(${expr})`, quoteText(timezone)) : undefined;
  return grains[grain](local ?? expr);
}
