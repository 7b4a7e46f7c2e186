import type { AssetData } from '../asset.ts';
import type { Content } from '../contents/content-store.ts';
import type { HistoryAction, HistoryRow, HistorySource } from '../contents/history-store.ts';

/** A content in the history of an asset; times are ISO 8601, UTC. */
export interface RevisionBody {
  readonly revision: number;
  /** 1 for the first content of the asset, 2 for the next. */
  readonly ordinal: number;
  readonly is_current: boolean;
  readonly created_at: string;
  /** Null, as the next three, for a content of a version that kept no history. */
  readonly user_id: string | null;
  /** The user name at that time. */
  readonly user_name: string | null;
  readonly action: HistoryAction | null;
  readonly source: HistorySource | null;
  /** The revision whose text was restored. */
  readonly restored_from: number | null;
  /** Size in UTF-8. */
  readonly bytes: number;
  /** In hexadecimal; null if it is unknown, and for a purged text. */
  readonly sha256: string | null;
  readonly purged_at: string | null;
  /** The name of the user who purged the text, at that time. */
  readonly purged_by: string | null;
}

/** A revision with its text; a long one is bytes. */
export interface FullRevisionBody<Text = Content> extends RevisionBody {
  readonly data: AssetData<Text>;
}

/** Converts an entry of the history. */
export function toRevisionBody(row: HistoryRow, isCurrent: boolean): RevisionBody {
  return {
    revision: row.revision,
    ordinal: row.ordinal,
    is_current: isCurrent,
    created_at: row.createdAt,
    user_id: row.userId,
    user_name: row.userName,
    action: row.action,
    source: row.source,
    restored_from: row.restoredFrom,
    bytes: row.bytes,
    sha256: row.sha256,
    purged_at: row.purgedAt,
    purged_by: row.purgedBy,
  };
}
