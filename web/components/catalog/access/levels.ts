import type { GrantedLevel } from '../../../api/catalog/catalog-grants.ts';

/** The levels that can be granted, the lowest first. */
export const LEVELS: readonly GrantedLevel[] = ['VIEW', 'EDIT', 'MANAGE'];

/** The level of a choice; the lowest for anything else. */
export function readLevel(text: string): GrantedLevel {
  return LEVELS.find((level) => level === text) ?? 'VIEW';
}
