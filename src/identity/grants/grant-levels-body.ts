import { type Static, Type } from 'typebox';
import { GRANTED_LEVELS } from '../principal/permissions.ts';
import { GrantSubject } from './grant-body.ts';

const GRANTED = [...new Set(Object.values(GRANTED_LEVELS).flat())];
type Granted = (typeof GRANTED)[number];

/** A level, or NONE. */
export const AnyLevel = Type.Unsafe<Granted | 'NONE'>({ type: 'string', enum: ['NONE', ...GRANTED] });

const LevelsRowSchema = Type.Object(
  {
    target: Type.String({ description: 'A catalog path, or `connection:NAME`' }),
    name: Type.String({ description: 'The last part of the path, or the name of the connection' }),
    type: Type.String({ description: 'The type of an item, or `CONNECTION`' }),
    restricted: Type.Boolean({ description: 'Whether grants on parent folders do not apply' }),
    has_children: Type.Boolean(),
    levels: Type.Immutable(
      Type.Array(
        Type.Object({
          // Null without a grant of this subject on the target.
          own: Type.Unsafe<Granted | null>({ type: ['string', 'null'], enum: [...GRANTED, null] }),
          level: AnyLevel,
        }),
        { description: 'One for each subject: the level that is granted here, and the level that applies' },
      ),
    ),
  },
  { title: 'LevelsRow' },
);

/** The levels of subjects on the children of a folder, on connections, or on namespaces. */
export const GrantLevelsSchema = Type.Object(
  {
    subjects: Type.Immutable(Type.Array(GrantSubject)),
    folder: Type.Union([LevelsRowSchema, Type.Null()], {
      description: 'The folder itself; null for connections and namespaces',
    }),
    data: Type.Immutable(Type.Array(LevelsRowSchema)),
    total: Type.Integer({ description: 'Number of rows on all pages' }),
  },
  { title: 'GrantLevels' },
);
export type GrantLevelsBody = Static<typeof GrantLevelsSchema>;
