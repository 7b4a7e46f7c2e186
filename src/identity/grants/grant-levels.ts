import { fieldErrors } from '../../errors/fields.ts';
import { elementAt } from '../../invariants/must.ts';
import { checkMayManage } from '../context/account-context.ts';
import { grantErrors } from '../errors.ts';
import { checkLimit } from '../log-range.ts';
import { authorizeConnection, authorizeItem, isRestrictedByNature } from '../principal/authorize.ts';
import type { ConnectionLevel, Level } from '../principal/permissions.ts';
import type { Principal } from '../principal/principal.ts';
import { type Subject, toSubjectKey } from '../records/grant-store.ts';
import { type LevelParent, type LevelPlace, listLevelPlaces } from '../records/level-rows.ts';
import { toPrincipal } from '../records/users.ts';
import type { GrantLevelsBody } from './grant-levels-body.ts';
import { findSubject } from './grant-subject.ts';
import {
  asReader,
  checkNotPersonal,
  findManagedTarget,
  type ManagedItem,
  type TargetContext,
  toChain,
} from './grant-target.ts';
import { printConnectionTarget, printSubject } from './print-grant.ts';

/** The number of subjects whose levels one request reads. */
export const MAX_SUBJECTS = 50;

/** What stands for all connections instead of a folder. */
export const ALL_CONNECTIONS = 'connections';

/** Whose levels are read, and where. */
export interface LevelSearch {
  readonly subjects: readonly string[];
  /** The path of a folder, or `connections`; without it, the namespaces. */
  readonly under?: string | undefined;
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined;
  /** A name: only rows after it. */
  readonly after?: string | undefined;
}

type LevelsRow = GrantLevelsBody['data'][number];

/**
 * The levels of subjects on the children of a folder that the caller manages, on connections, or for administrators on
 * the namespaces (docs/reference/permissions.md#levels-of-several-subjects). Others than administrators get the
 * children and connections that they manage. Throws as `GrantService` describes, 400 for no subject or more than 50,
 * and 422 in `@Personal`. The caller holds the transaction.
 */
export function listLevels(
  context: TargetContext,
  principal: Principal,
  search: LevelSearch,
): GrantLevelsBody {
  const { subjects: texts, under, after = '' } = search;
  if (texts.length === 0) throw fieldErrors.required('Subject');
  if (texts.length > MAX_SUBJECTS) throw grantErrors.tooManySubjects(MAX_SUBJECTS);
  const limit = checkLimit(search.limit);
  const folder = findFolder(context, principal, under);
  const subjects = texts.map((text) => findSubject(context, principal, text));
  const parent = toParent(folder, under);
  const { places, total } = listLevelPlaces(context.database, {
    parent,
    subjects: subjects.map(toSubjectKey),
    managerId: principal.superUser ? null : principal.userId,
    after,
    limit,
  });
  const judge = createJudge(context, subjects, parent, places);
  const print = (place: LevelPlace): LevelsRow => ({
    target: printTarget(parent, folder, place),
    name: place.name,
    type: place.type,
    restricted: judge.isRestricted(place),
    has_children: place.hasChildren,
    levels: judge.listLevels(place),
  });
  const depth = folder === null ? 0 : folder.places.length;
  const last = places.find((place) => place.depth === depth - 1);
  return {
    subjects: subjects.map(printSubject),
    folder: last === undefined ? null : print(last),
    data: places.filter((place) => place.depth === depth).map(print),
    total,
  };
}

/** The managed folder; null for connections and, for administrators, the namespaces. */
function findFolder(
  context: TargetContext,
  principal: Principal,
  under: string | undefined,
): ManagedItem | null {
  if (under === ALL_CONNECTIONS) return null;
  if (under === undefined) {
    checkMayManage(context, principal);
    return null;
  }
  const target = findManagedTarget(context, asReader(principal), under);
  if (target.kind !== 'item') throw grantErrors.notAFolder(under);
  checkNotPersonal(target);
  return target;
}

function toParent(folder: ManagedItem | null, under: string | undefined): LevelParent {
  if (folder !== null) return { kind: 'folder', chain: toChain(folder) };
  return { kind: under === undefined ? 'namespaces' : 'connections' };
}

function printTarget(parent: LevelParent, folder: ManagedItem | null, { depth, name }: LevelPlace): string {
  if (parent.kind === 'connections') return printConnectionTarget(name);
  if (folder === null) return name;
  return depth < folder.places.length ? folder.text : `${folder.text}/${name}`;
}

/** Someone whose levels grants decide: a group, or everyone. */
const GRANTED_ONLY: Principal = { userId: '', userName: '', superUser: false, viewsOnly: false };

/** Decides the levels at the places of a page. */
function createJudge(
  { users }: TargetContext,
  subjects: readonly Subject[],
  parent: LevelParent,
  places: readonly LevelPlace[],
) {
  const chain = parent.kind === 'folder' ? parent.chain : [];
  const above = places.filter(({ depth }) => depth < chain.length);
  /** Null for a disabled user. */
  const principals = subjects.map((subject) => {
    const user = subject.kind === 'user' ? users.findById(subject.id) : undefined;
    if (user === undefined) return GRANTED_ONLY;
    return user.active ? toPrincipal(user) : null;
  });

  function findLevel(subject: number, place: LevelPlace): Level | ConnectionLevel {
    const principal = elementAt(principals, subject);
    if (principal === null) return 'NONE';
    if (parent.kind === 'connections') {
      const granted = place.granted.get(subject)?.level as ConnectionLevel | undefined;
      return authorizeConnection(principal, () => (granted === undefined ? [] : [granted]));
    }
    const path = [...above.slice(0, place.depth), place];
    return authorizeItem(principal, {
      rootId: elementAt(path, 0).id,
      depth: place.depth,
      facts: () => path.flatMap((one) => toFacts(one, subject)),
    });
  }

  return {
    isRestricted: ({ isRestricted, depth }: LevelPlace) =>
      isRestricted || (chain.length > 0 && isRestrictedByNature(elementAt(chain, 0), depth)),
    listLevels: (place: LevelPlace) =>
      subjects.map((_, n) => ({ own: place.granted.get(n)?.own ?? null, level: findLevel(n, place) })),
  };
}

function toFacts({ depth, isRestricted, granted }: LevelPlace, subject: number) {
  const level = (granted.get(subject)?.level ?? null) as Exclude<Level, 'NONE'> | null;
  return level === null && !isRestricted ? [] : [{ depth, isRestricted, level }];
}
