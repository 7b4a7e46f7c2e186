import { type Static, Type } from 'typebox';
import { MaybeText } from '../../bodies/field-schemas.ts';
import type { SettingOrigin } from '../../settings/read-settings.ts';
import type { Raw } from '../../settings/setting.ts';

/** A setting and the source of its value. */
const SettingSchema = Type.Object(
  {
    key: Type.String(),
    value: Type.Unsafe<Raw | null>({ description: 'Null for no value, a secret and an invalid value' }),
    is_set: Type.Boolean({ description: 'Whether a value other than the default applies' }),
    origin: Type.Unsafe<SettingOrigin>({ type: 'string', enum: ['flag', 'variable', 'config', 'default'] }),
    source: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The option, the variable, or the file with its line; null for the default',
    }),
    error: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The error of an invalid value, else null',
    }),
    values: Type.String({ description: 'The possible values' }),
    default: Type.String({ description: 'Empty if there is no default' }),
    option: MaybeText,
    variable: MaybeText,
    text: Type.String({ description: 'One sentence about the setting' }),
    needs_restart: Type.Boolean({ description: 'Whether a server reads it only when it starts' }),
  },
  { title: 'Setting' },
);
export type SettingBody = Static<typeof SettingSchema>;

/** All settings. */
export const SettingListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(SettingSchema)) },
  { title: 'SettingList' },
);
