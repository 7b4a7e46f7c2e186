import { type Static, Type } from 'typebox';
import { AnyLevel } from './grant-levels-body.ts';

const Gains = Type.Integer({ description: 'Number of active users with a higher level than before' });
const Losses = Type.Integer({ description: 'Number of active users with a lower level than before' });

/** Who gains and who loses what. */
const EffectsSchema = Type.Object(
  {
    gains: Gains,
    losses: Losses,
    targets: Type.Immutable(
      Type.Array(Type.Object({ target: Type.String(), gains: Gains, losses: Losses }), {
        description: 'The changed targets',
      }),
    ),
    data: Type.Immutable(
      Type.Array(
        Type.Object({ user: Type.String(), target: Type.String(), before: AnyLevel, after: AnyLevel }),
        { description: 'At most 1,000; others than administrators get only users whom the changes name' },
      ),
    ),
  },
  { title: 'GrantEffects' },
);
export type GrantEffectsBody = Static<typeof EffectsSchema>;

/** What changes of grants and restrictions do, or have done. */
export const GrantChangesSchema = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether nothing was applied' }),
    changed: Type.Integer({ description: 'Number of changes that differ from what is granted already' }),
    etag: Type.String({ description: 'Entity tag of the grants that decide, for `If-Match`' }),
    effects: Type.Optional(EffectsSchema),
  },
  { title: 'GrantChanges' },
);
export type GrantChangesBody = Static<typeof GrantChangesSchema>;
