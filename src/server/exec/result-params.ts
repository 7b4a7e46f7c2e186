import { Type } from 'typebox';
import { execErrors } from './errors.ts';

/** The path parameters of one recorded result. */
export const ResultParams = Type.Object({ id: Type.String(), n: Type.Integer({ minimum: 0 }) });

/** Reads the number of a result. Throws 404. */
export function readIndex(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw execErrors.resultNotFound(text);
  return Number(text);
}
