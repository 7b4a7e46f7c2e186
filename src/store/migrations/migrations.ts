import { usersAndCatalog } from './0001-users-and-catalog.ts';
import { connections } from './0002-connections.ts';
import { groupsAndTokens } from './0003-groups-and-tokens.ts';
import { grants } from './0004-grants.ts';
import { sessionsAndAudit } from './0005-sessions-and-audit.ts';
import { provisioning } from './0006-provisioning.ts';
import { catalogRevisions } from './0007-catalog-revisions.ts';
import { singleSignOn } from './0008-single-sign-on.ts';
import { contentParts } from './0009-content-parts.ts';
import { metadataRefreshes } from './0010-metadata-refreshes.ts';
import { catalogHistory } from './0011-catalog-history.ts';
import { sessionDetails } from './0012-session-details.ts';
import { scopesAndLevels } from './0013-scopes-and-levels.ts';
import { publishedFiles } from './0014-published-files.ts';
import { userLists } from './0015-user-lists.ts';
import { invitations } from './0016-invitations.ts';
import { deletedItems } from './0017-deleted-items.ts';
import type { Migration } from './migrate.ts';

/** Every migration, in the order of their versions. */
export const migrations: readonly Migration[] = [
  usersAndCatalog,
  connections,
  groupsAndTokens,
  grants,
  sessionsAndAudit,
  provisioning,
  catalogRevisions,
  singleSignOn,
  contentParts,
  metadataRefreshes,
  catalogHistory,
  sessionDetails,
  scopesAndLevels,
  publishedFiles,
  userLists,
  invitations,
  deletedItems,
];
