import type { ColumnChanges } from '../../connection/contract/column-changes.ts';
import type { PublishedName, Publishing } from '../../connection/contract/connection.ts';
import type { Publication } from '../../script/values/publication.ts';
import type { TargetAction } from '../outcome/target-report.ts';

/** The rows of a query that become those of a table. */
export interface PublishedRows {
  readonly target: PublishedName;
  readonly query: string;
  readonly publication: Publication;
  /** The time of the run, in milliseconds since 1970-01-01 UTC. */
  readonly now: number;
}

/** Publishes a table for the first time, or replaces it. Resolves with the number of its rows, or null. */
export function createPublishedTable(
  publishing: Publishing,
  { target, query, publication, now }: PublishedRows,
  signal: AbortSignal,
): Promise<number | null> {
  const { incremental, primaryKey, uniqueKey } = publication;
  if (incremental === 'history') {
    return publishing.startHistory(target, query, toHistory(publication, now), signal);
  }
  return publishing.replaceTable(target, query, { primary: primaryKey, unique: uniqueKey }, signal);
}

/** Adds rows to a table that exists. Resolves with the changes of its columns. */
export function addRows(
  publishing: Publishing,
  { target, query, publication, now }: PublishedRows,
  signal: AbortSignal,
): Promise<ColumnChanges> {
  const { incremental, primaryKey: primary, onSchemaChange } = publication;
  switch (incremental) {
    case 'append':
      return publishing.append(target, query, { primary, onSchemaChange }, signal);
    case 'history':
      return publishing.continueHistory(target, query, toHistory(publication, now), signal);
    default:
      return publishing.merge(target, query, { ...toMerge(publication), primary }, signal);
  }
}

/** What `addRows` does, as reports name it. */
export function findAddition({
  incremental,
}: Publication): Extract<TargetAction, 'append' | 'merge' | 'history'> {
  return incremental === 'append' || incremental === 'history' ? incremental : 'merge';
}

/** How the columns of a table have changed; null if none has. */
export function describeChanges(table: string, { added, widened, dropped }: ColumnChanges): string | null {
  const changes = [
    ...added.map(({ name, type }) => `\`${name}\` (${type}) was added`),
    ...widened.map(({ name, from, type }) => `\`${name}\` was changed from ${from} to ${type}`),
    ...dropped.map(({ name, type }) => `\`${name}\` (${type}) was dropped`),
  ];
  return changes.length === 0 ? null : `the columns of \`${table}\` have changed: ${changes.join('; ')}`;
}

function toMerge({ uniqueKey: key, updateOnChangesIn, onSchemaChange }: Publication) {
  return { key, changes: updateOnChangesIn.length > 0 ? updateOnChangesIn : null, onSchemaChange };
}

function toHistory(publication: Publication, now: number) {
  const time = new Date(now).toISOString().replace('T', ' ').replace('Z', '000');
  return { ...toMerge(publication), time };
}

/**
 * How the columns of a table that exists would change, without running the query: by `addRows`, or with `isReplaced` by a
 * new table. Rejects with a DatabaseError.
 */
export function compareWithTable(
  publishing: Publishing,
  { target, query, publication, now }: PublishedRows,
  isReplaced: boolean,
  signal: AbortSignal,
): Promise<ColumnChanges> {
  const { incremental, primaryKey: primary, onSchemaChange } = publication;
  const compare = (rows: Parameters<Publishing['compareColumns']>[2]) =>
    publishing.compareColumns(target, query, rows, signal);
  if (isReplaced) return compare({ onSchemaChange: 'sync' });
  if (incremental === 'append') return compare({ primary, onSchemaChange });
  return compare(incremental === 'history' ? toHistory(publication, now) : toMerge(publication));
}
