import { requireAdministrator } from '../auth/require-administrator.ts';
import type { App } from '../http/typed-app.ts';
import { addAudit } from './audit.ts';
import { addConnections } from './connections.ts';
import { addGrants } from './grants.ts';
import { addGroups } from './groups.ts';
import { addMe } from './me.ts';
import { addQueries } from './queries.ts';
import { addSaml } from './saml.ts';
import { addTokens } from './tokens.ts';
import { addUsers } from './users.ts';

/**
 * The routes below `/manage`, and `/me`: accounts, connections, grants and logs, with the functions of the command line.
 * Routes for administrators have their own scope, so that other callers are refused before their bodies are read.
 */
export function addManageRoutes(app: App): void {
  addMe(app);
  addTokens(app);
  addConnections(app);
  addGrants(app);
  app.register(async (scope: App) => {
    scope.addHook('onRequest', requireAdministrator);
    addUsers(scope);
    addGroups(scope);
    addAudit(scope);
    addQueries(scope);
    addSaml(scope);
  });
}
