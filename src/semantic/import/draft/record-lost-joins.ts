import type { JoinType } from '../../model/model.ts';
import type { EntityDocument } from '../../model/model-schema.ts';
import type { LostJoin, ModelDraft } from './draft.ts';
import { importMessages } from './errors.ts';
import { toLine } from './losses.ts';

type Side = LostJoin['from'];

/** The maximum length of a reason, because templates can be long. */
const MAX_REASON_LENGTH = 300;

/**
 * Records in the model the joins that were not imported. Without this, queries would use other paths and return other
 * numbers. `format` is the name of the other tool in messages.
 */
export function recordLostJoins({ layers, lostJoins }: ModelDraft, format: string): void {
  const entities = layers.flatMap(({ domains }) => domains.flatMap((domain) => domain.entities));
  const entitySides = new Set<Side>(entities);
  const bySide = Map.groupBy(lostJoins, ({ from }) => from);
  for (const from of entities) {
    for (const { to, joinType, reason, isDirect } of walk(from, bySide, entitySides)) {
      // A path through an entity that was left out is longer than an existing relationship.
      if (!isDirect && isRelated(from, to)) continue;
      add(from, to, joinType, toReason(reason, format));
    }
  }
}

interface Walk {
  readonly to: EntityDocument;
  readonly joinType: JoinType | null;
  readonly reason: string;
  readonly isDirect: boolean;
}

/** The entities that lost joins reach from one entity, directly or through entities that were left out. */
function walk(
  from: EntityDocument,
  bySide: ReadonlyMap<Side, readonly LostJoin[]>,
  entitySides: ReadonlySet<Side>,
): readonly Walk[] {
  const walks: Walk[] = [];
  const seen = new Set<Side>();
  const open = (bySide.get(from) ?? []).map((join) => ({ ...join, isDirect: true }));
  for (const { to, joinType, reason, isDirect } of open) {
    if (entitySides.has(to)) {
      if (to !== from) walks.push({ to: to as EntityDocument, joinType, reason, isDirect });
      continue;
    }
    if (seen.has(to)) continue;
    seen.add(to);
    for (const join of bySide.get(to) ?? [])
      open.push({ ...join, joinType: compose(joinType, join.joinType), reason, isDirect: false });
  }
  return walks;
}

/** The cardinality of two joins in a row; null if neither end is a to-one side. */
function compose(one: JoinType | null, other: JoinType | null): JoinType | null {
  if (one === 'ONE_TO_ONE') return other;
  return other === 'ONE_TO_ONE' || one === other ? one : null;
}

function isRelated(one: EntityDocument, other: EntityDocument): boolean {
  const leads = (from: EntityDocument, to: EntityDocument) =>
    (from.relationships ?? []).some(({ to_entity }) => to_entity === to.name);
  return leads(one, other) || leads(other, one);
}

function add(from: EntityDocument, to: EntityDocument, joinType: JoinType | null, reason: string): void {
  from.x_unreachable ??= [];
  const isKnown = from.x_unreachable.some(
    ({ to_entity, join_type = null }) => to_entity === to.name && join_type === joinType,
  );
  if (isKnown) return;
  from.x_unreachable.push({
    to_entity: to.name,
    ...(joinType === null ? {} : { join_type: joinType }),
    reason,
  });
}

function toReason(reason: string, format: string): string {
  const text = importMessages.lostJoin(format, toLine(reason));
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH)}…` : text;
}
