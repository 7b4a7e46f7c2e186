import type { Platform } from '../../../src/semantic/model/model.ts';

type Spell = (text: string) => string;

const TIMES: Readonly<Partial<Record<Platform, Spell>>> = {
  clickhouse: (text) => `toDateTime64('${text}', 6, 'UTC')`,
  bigquery: (text) => `DATETIME '${text}'`,
};
const DAYS: Readonly<Partial<Record<Platform, Spell>>> = {
  clickhouse: (text) => `toDate32('${text}')`,
};

/** A DATETIME in UTC, in the SQL of a platform. */
export function spellTime(platform: Platform, text: string): string {
  return TIMES[platform]?.(text) ?? `TIMESTAMP '${text}'`;
}

/** A DATE, in the SQL of a platform. */
export function spellDay(platform: Platform, text: string): string {
  return DAYS[platform]?.(text) ?? `DATE '${text}'`;
}
