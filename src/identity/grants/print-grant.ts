import type { ConnectionLevel, Level } from '../principal/permissions.ts';
import type { Subject } from '../records/grant-store.ts';

/** The subject of a grant as the command line writes it: `user:NAME`, `group:NAME`, `everyone`. */
export function printSubject(subject: Subject): string {
  return subject.kind === 'everyone' ? 'everyone' : `${subject.kind}:${subject.name}`;
}

/** A connection as the target of a grant. */
export function printConnectionTarget(name: string): string {
  return `connection:${name}`;
}

/** A grant as one line, as in `user:ada EDIT @Shared/x`. */
export function printGrant(subject: Subject, level: Level | ConnectionLevel, target: string): string {
  return `${printSubject(subject)} ${level} ${target}`;
}
