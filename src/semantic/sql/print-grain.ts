import type { Dimension, Grain, Layer } from '../model/model.ts';
import { DIALECTS } from './dialects.ts';

/** What cuts the dates or moments of a dimension to a grain, in the SQL of its layer's platform, as far as that is known. */
export function printGrain(
  { expr, dataType }: Dimension,
  grain: Grain,
  { platform, timezone }: Pick<Layer, 'platform' | 'timezone'>,
): string {
  const { grains, toLocal, hasSessionTime, quoteText } = DIALECTS[platform];
  const isMoved = hasSessionTime || !/^(?:etc\/)?utc$/i.test(timezone);
  const isLocal = dataType === 'DATETIME' && isMoved;
  const local = isLocal ? toLocal?.(`(${expr})`, quoteText(timezone)) : undefined;
  return grains[grain](local ?? expr);
}
