import { Type } from 'typebox';
import { defineFields } from './define-fields.ts';
import { filledText } from './kinds.ts';

/** Whose tokens are meant; an empty name is none. */
export const owner = filledText(
  'Owner',
  Type.String({ description: 'User name; the caller unless said otherwise' }),
);
export const ownerQuery = defineFields({ owner });
