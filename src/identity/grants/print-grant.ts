import type { ConnectionLevel, Level } from '../principal/permissions.ts';
import type { Subject } from '../records/grant-store.ts';

/** Formats the subject of a grant as on the command line: `user:NAME`, `group:NAME`, `everyone`. */
export function printSubject(subject: Subject): string {
  return subject.kind === 'everyone' ? 'everyone' : `${subject.kind}:${subject.name}`;
}

/** Formats a connection as the target of a grant. */
export function printConnectionTarget(name: string): string {
  return `connection:${name}`;
}

/** Formats a grant as one line, as in `user:ada EDIT @Shared/x`. */
export function printGrant(subject: Subject, level: Level | ConnectionLevel, target: string): string {
  return `${printSubject(subject)} ${level} ${target}`;
}
