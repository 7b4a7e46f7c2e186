import type { Database } from '../../store/database.ts';
import type { ReadCache } from '../../store/read-cache.ts';
import { type Clock, toTimestamp } from '../../store/values/clock.ts';
import { HUB_ROOT_ID } from '../../store/values/roots.ts';
import type { NewId } from '../../store/values/uuid.ts';
import type { AuditLog } from '../audit/audit.ts';
import { authorizeConnection, authorizeItem } from '../principal/authorize.ts';
import type {
  CatalogPermissions,
  ConnectionLevel,
  ConnectionPermissions,
  Level,
  Placement,
} from '../principal/permissions.ts';
import type { Principal } from '../principal/principal.ts';
import { createGrantStore, type GrantStore, type Subject, type TargetKey } from '../records/grant-store.ts';
import { printGrant } from './print-grant.ts';

export interface GrantOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly audit: AuditLog;
}

/** The permissions that the current grants of a home allow (docs/reference/permissions.md#levels). */
export interface GrantPermissions {
  readonly catalog: CatalogPermissions;
  readonly connections: ConnectionPermissions;
  /** Grants MANAGE to the principal, and writes an entry to the audit log; `path` names the target in the entry. */
  giveManage(principal: Principal, target: TargetKey, path: string): void;
}

/** The permissions of an open database. */
export function createGrantPermissions(options: GrantOptions): GrantPermissions {
  const { database, clock, newId, audit } = options;
  const store = createGrantStore(database);

  function give({ userId: id, userName: name }: Principal, target: TargetKey): Subject {
    const subject: Subject = { kind: 'user', id, name };
    store.set(newId(), { subject, target, level: 'MANAGE', createdAt: toTimestamp(clock()) });
    return subject;
  }

  function giveManage(principal: Principal, target: TargetKey, path: string): void {
    const subject = give(principal, target);
    audit.record(principal, { action: 'grant.set', object: printGrant(subject, 'MANAGE', path) });
  }

  return {
    catalog: {
      ...createItemLevels(store, database.createCache()),
      listEditGrants: ({ userId, viewsOnly }) => (viewsOnly ? [] : store.listEditTargets(userId)),
      place: (principal, placement) => place(store, principal, placement, giveManage),
      mayTakeHome: (principal, itemId) => principal.superUser || !store.holdsClosed(principal.userId, itemId),
    },
    connections: {
      ...createConnectionLevels(store),
      mayCreate: ({ superUser, viewsOnly }) => superUser && !viewsOnly,
      create: (principal, id) => {
        give(principal, { kind: 'connection', id });
      },
    },
    giveManage,
  };
}

function createItemLevels(
  store: GrantStore,
  cache: ReadCache<Level>,
): Pick<CatalogPermissions, 'levelOf' | 'levelsBelow'> {
  return {
    levelOf: (principal, chain) =>
      cache.get(printQuestion(principal, chain), () =>
        authorizeItem(principal, {
          rootId: chain[0] ?? '',
          depth: chain.length - 1,
          facts: () => store.listFacts(principal.userId, chain),
        }),
      ),
    levelsBelow: (principal, chain) => {
      const rootId = chain[0] ?? '';
      const depth = chain.length;
      let all: ReturnType<GrantStore['listFactsBelow']> | undefined;
      const listAll = () => {
        all ??= store.listFactsBelow(principal.userId, chain);
        return all;
      };
      const listAbove = () => listAll().filter((fact) => fact.depth < depth);
      const inherited = authorizeItem(principal, { rootId, depth, facts: listAbove });
      if (all === undefined) return () => inherited;
      const above = listAbove();
      const factsById = Map.groupBy(
        listAll().filter((fact) => fact.depth === depth),
        (fact) => fact.id,
      );
      return (childId) => {
        const facts = factsById.get(childId);
        if (facts === undefined) return inherited;
        return authorizeItem(principal, { rootId, depth, facts: () => [...above, ...facts] });
      };
    },
  };
}

/**
 * A key of everything that a level depends on. An item's id stands for its chain, because a committed item has one
 * place.
 */
function printQuestion({ userId, superUser, viewsOnly }: Principal, chain: readonly string[]): string {
  return `${userId} ${superUser} ${viewsOnly} ${chain.at(-1)}`;
}

function createConnectionLevels(store: GrantStore): Pick<ConnectionPermissions, 'levelOf' | 'levels'> {
  const levels = (principal: Principal) => {
    let granted: ReadonlyMap<string, ConnectionLevel[]> | undefined;
    const listGranted = () => {
      granted ??= toLevels(store.listConnectionGrants(principal.userId));
      return granted;
    };
    return (id: string) => authorizeConnection(principal, () => listGranted().get(id) ?? []);
  };
  return { levelOf: (principal, id) => levels(principal)(id), levels };
}

function toLevels(grants: ReturnType<GrantStore['listConnectionGrants']>): Map<string, ConnectionLevel[]> {
  const byTarget = Map.groupBy(grants, ({ target }) => target.id);
  return new Map(
    byTarget.entries().map(([id, some]) => [id, some.map(({ level }) => level as ConnectionLevel)]),
  );
}

function place(
  store: GrantStore,
  principal: Principal,
  { id, path, parentId, formerParentId }: Placement,
  giveManage: GrantPermissions['giveManage'],
): void {
  const isInHub = parentId === HUB_ROOT_ID;
  const wasInHub = formerParentId === HUB_ROOT_ID;
  if (wasInHub && !isInHub) store.restrict(id, true);
  if (isInHub && !wasInHub && !store.hasManager(id)) giveManage(principal, { kind: 'item', id }, path);
}
