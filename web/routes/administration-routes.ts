import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readAuditSearch } from '../api/administration/audit.ts';
import { readConnectionsSearch } from '../api/administration/connections-search.ts';
import { readGroupsSearch } from '../api/administration/groups-search.ts';
import { readKeysSearch } from '../api/administration/keys-search.ts';
import { readPermissionsSearch } from '../api/administration/permissions-search.ts';
import { readProvisioningSearch } from '../api/administration/provisioning.ts';
import { readSettingsSearch } from '../api/administration/settings.ts';
import { readSingleSignOnSearch } from '../api/administration/single-sign-on.ts';
import { readUsersSearch } from '../api/administration/users-search.ts';
import { load, signedInRoute } from './base-routes.ts';

const administrationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration',
  beforeLoad: () => {
    throw redirect({ to: '/administration/users', replace: true });
  },
});

const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/users',
  validateSearch: readUsersSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/users-page.tsx')),
    'UsersPage',
  ),
});

const groupsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/groups',
  validateSearch: readGroupsSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/groups-page.tsx')),
    'GroupsPage',
  ),
});

const permissionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/permissions',
  validateSearch: readPermissionsSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/permissions-page.tsx')),
    'PermissionsPage',
  ),
});

const connectionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/connections',
  validateSearch: readConnectionsSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/connections-page.tsx')),
    'ConnectionsPage',
  ),
});

const singleSignOnRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/single-sign-on',
  validateSearch: readSingleSignOnSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/single-sign-on-page.tsx')),
    'SingleSignOnPage',
  ),
});

const provisioningRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/provisioning',
  validateSearch: readProvisioningSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/provisioning-page.tsx')),
    'ProvisioningPage',
  ),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/audit-page.tsx')),
    'AuditPage',
  ),
});

const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/api-keys',
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/keys-page.tsx')),
    'KeysPage',
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/administration/settings-page.tsx')),
    'SettingsPage',
  ),
});

const serverRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/administration/server',
  component: lazyRouteComponent(
    load(() => import('../pages/administration/server-page.tsx')),
    'ServerPage',
  ),
});

/** The pages of administrators. */
export const administrationRoutes = [
  administrationRoute,
  usersRoute,
  groupsRoute,
  permissionsRoute,
  connectionsRoute,
  singleSignOnRoute,
  provisioningRoute,
  keysRoute,
  auditRoute,
  settingsRoute,
  serverRoute,
];
