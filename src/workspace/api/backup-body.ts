import { type Static, Type } from 'typebox';
import { MaybeText, Timestamp } from '../../bodies/field-schemas.ts';
import { SETTINGS } from '../../settings/table.ts';

/** A backup in the folder of a home. */
export const BackupSchema = Type.Object(
  {
    name: Type.String({ examples: ['quern-backup-2026-03-01T12-00-00-000Z.tar'] }),
    state: Type.Enum(['running', 'done', 'failed']),
    created_at: Timestamp,
    bytes: Type.Integer({
      minimum: 0,
      description: 'Size; of a running backup, the bytes written so far',
    }),
    expected_bytes: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The size that a running backup reaches at most; else null',
    }),
    // Null unless it failed.
    error: MaybeText,
  },
  { title: 'Backup' },
);
export type BackupBody = Static<typeof BackupSchema>;

/** The backups of a home. */
export const BackupListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(BackupSchema)),
    max: Type.Integer({ description: `The number of backups that \`${SETTINGS.backupsKept.key}\` allows` }),
  },
  { title: 'BackupList' },
);
export type BackupListBody = Static<typeof BackupListSchema>;
