import { Type } from 'typebox';
import { text } from './kinds.ts';

/** Which version of a project in the hub is meant (interface 2.1). */
export const projectVersion = text(
  'Project version',
  Type.String({ description: 'The version of the project in the hub' }),
);
