import { Type } from 'typebox';
import { defineFields } from './define-fields.ts';
import { filledText } from './kinds.ts';

/** The owner of tokens; an empty name counts as absent. */
export const owner = filledText(
  'Owner',
  Type.String({ description: 'User name of the owner. Defaults to the caller' }),
);
export const ownerQuery = defineFields({ owner });
