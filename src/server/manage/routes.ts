import type { Instance } from '../../workspace/instance/instance.ts';
import { requireAdministrator } from '../auth/require-administrator.ts';
import { addDeleted } from '../catalog/deleted.ts';
import { addManyItems } from '../catalog/many-items.ts';
import type { App } from '../http/typed-app.ts';
import { addAudit } from './audit.ts';
import { addBackups } from './backups.ts';
import { addConnections } from './connections.ts';
import { addFolders } from './folders.ts';
import { addGrantChanges } from './grant-changes.ts';
import { addGrants } from './grants.ts';
import { addGroups } from './groups.ts';
import { addInvitations } from './invitations.ts';
import { addProviderLog } from './provider-log.ts';
import { addQueries } from './queries.ts';
import { addRevisions } from './revisions.ts';
import { addSaml } from './saml.ts';
import { addSearch } from './search.ts';
import { addServer } from './server.ts';
import { addSettings } from './settings.ts';
import { addTokens } from './tokens.ts';
import { addUserAccess } from './user-access.ts';
import { addUserChanges } from './user-changes.ts';
import { addUsers } from './users.ts';

/**
 * The routes below `/manage`: accounts, search, histories, the bin, connections, grants and logs, with the functions of the command line.
 * Routes for administrators have their own scope, so that other callers are refused before their bodies are read.
 */
export function addManageRoutes(app: App, instance: Instance): void {
  addTokens(app, instance);
  addConnections(app, instance);
  addGrants(app, instance);
  addGrantChanges(app, instance);
  addSearch(app, instance);
  addFolders(app, instance);
  addDeleted(app, instance);
  addManyItems(app, instance);
  addRevisions(app, instance);
  app.register(async (scope: App) => {
    scope.addHook('onRequest', requireAdministrator);
    addUsers(scope, instance);
    addUserAccess(scope, instance);
    addUserChanges(scope, instance);
    addInvitations(scope, instance);
    addGroups(scope, instance);
    addAudit(scope, instance);
    addQueries(scope, instance);
    addProviderLog(scope, instance);
    addSaml(scope, instance);
    addSettings(scope, instance);
    addServer(scope);
    addBackups(scope, instance);
  });
}
