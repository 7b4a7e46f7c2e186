import { Type } from 'typebox';
import { text } from './kinds.ts';

/** The version of a project in the hub (docs/reference/http-catalog.md#paths). */
export const projectVersion = text(
  'Project version',
  Type.String({ description: 'Version of the project in the hub' }),
);
