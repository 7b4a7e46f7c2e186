import { readTime } from '../../errors/fields.ts';
import { consoleErrors } from './errors.ts';

/** The choices for a token's lifetime (identity 1), in days; null for no expiration. */
const CHOICES: Readonly<Record<string, number | null>> = {
  '30d': 30,
  '60d': 60,
  '90d': 90,
  '180d': 180,
  '1y': 365,
  never: null,
};

const DAY_MS = 86_400_000;

/**
 * The expiration of a token: one of the choices, or the start of a day (`2027-01-31`, UTC); null for never. Throws 400.
 */
export function parseExpiry(text: string, now: Date): Date | null {
  const days = Object.hasOwn(CHOICES, text) ? CHOICES[text] : undefined;
  if (days === null) return null;
  if (days !== undefined) return new Date(now.getTime() + days * DAY_MS);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? readTime({ text }, 'text', 'Expiration') : undefined;
  if (day !== undefined) return day;
  throw consoleErrors.notAnExpiry(Object.keys(CHOICES));
}
