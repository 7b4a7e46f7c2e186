import { hash } from 'node:crypto';
import type { Database } from '../../store/database.ts';
import { type Clock, toTimestamp } from '../../store/values/clock.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import { isLoopback, toNetwork } from './client-address.ts';

/** After this time without a failure, all failures are forgotten. */
const FORGET_MS = 15 * 60_000;
/** From this number of failures on, each further failure of a login doubles the delay. */
const FIRST_DELAYED = 5;
const MAX_DELAY_MS = 60_000;
/** After this number of failures, a login is blocked until the failures are forgotten. */
const MAX_FAILURES = 50;
/** The maximum number of failures of an address. They expire one by one, all of them within the time above. */
const MAX_OF_ADDRESS = 100;
const FORGET_ONE_MS = FORGET_MS / MAX_OF_ADDRESS;
/** Longer logins are truncated to this length. No user name and no e-mail address is longer. */
const MAX_LOGIN_LENGTH = 1_000;

/** A sign-in attempt: the string entered as user name or e-mail, and the client's address if known. */
export interface Attempt {
  readonly login: string;
  readonly address: string | null;
}

/** Whether an attempt is allowed. */
type Turn =
  | { readonly isAllowed: true }
  /** `isFirst`: the first rejected attempt since the last failure. */
  | { readonly isAllowed: false; readonly seconds: number; readonly isFirst: boolean };

/**
 * Slows down the guessing of passwords (docs/reference/passwords.md#failed-sign-ins). Failures are counted for the
 * login as entered, so unknown users behave like existing ones, and for the address. They are stored, so a restart does
 * not reset them. There are 65,536 counters for logins and as many for addresses, chosen by hash; so invented logins
 * cannot make the home grow.
 */
export interface Throttle {
  /** Counts an attempt as a failure in advance, so that concurrent attempts cannot bypass the limit. */
  begin(attempt: Attempt): Turn;
  /** The attempt succeeded: resets the login's failures, and removes this failure from the address. */
  succeed(attempt: Attempt): void;
  /** The attempt ended without a result: removes its failure. */
  giveBack(attempt: Attempt): void;
  /** Resets the failures of these logins. */
  forget(logins: readonly string[]): void;
}

/** The failures of one login or address. */
interface Count {
  readonly failures: number;
  /** The time of the last failure, in milliseconds. */
  readonly failedAt: number;
  readonly isTurnedAway: boolean;
}

interface Rule {
  /** The number of failures that still count. */
  readonly left: (count: Count, age: number) => number;
  /** The delay after the last failure, in milliseconds. */
  readonly delay: (failures: number) => number;
}

const OF_LOGIN: Rule = {
  left: ({ failures }) => failures,
  delay: (failures) => {
    if (failures >= MAX_FAILURES) return FORGET_MS;
    return failures < FIRST_DELAYED ? 0 : Math.min(MAX_DELAY_MS, 1000 * 2 ** (failures - FIRST_DELAYED));
  },
};

const OF_ADDRESS: Rule = {
  left: ({ failures }, age) => failures - Math.floor(age / FORGET_ONE_MS),
  delay: (failures) => Math.max(0, failures - MAX_OF_ADDRESS + 1) * FORGET_ONE_MS,
};

/** The throttle stored in an open database. */
export function createThrottle(database: Database, clock: Clock): Throttle {
  const store = createFailureStore(database);

  /** The failures that count, and the time to wait in milliseconds. */
  function look(key: string, rule: Rule, now: number): { failures: number; wait: number; isFirst: boolean } {
    const count = store.find(key);
    const age = count === undefined ? FORGET_MS : now - count.failedAt;
    // After the clock was set back by more than this, the stored times are meaningless.
    if (count === undefined || Math.abs(age) >= FORGET_MS) return { failures: 0, wait: 0, isFirst: false };
    const past = Math.max(0, age);
    const wait = Math.max(0, rule.delay(rule.left(count, 0)) - past);
    return { failures: Math.max(0, rule.left(count, past)), wait, isFirst: !count.isTurnedAway };
  }

  function giveBack(key: string): void {
    const count = store.find(key);
    if (count === undefined) return;
    if (count.failures === 1) store.delete(key);
    else store.write(key, count.failures - 1, toTimestamp(new Date(count.failedAt)));
  }

  return {
    begin: (attempt) =>
      database.write(() => {
        // Reads the clock within the transaction: other attempts may have failed while this one waited for it.
        const now = clock().getTime();
        const looks = keysOf(attempt).map(({ key, rule }) => ({ key, ...look(key, rule, now) }));
        const slowest = looks.reduce((max, one) => (one.wait > max.wait ? one : max));
        if (slowest.wait > 0) {
          store.turnAway(slowest.key);
          return { isAllowed: false, seconds: Math.ceil(slowest.wait / 1000), isFirst: slowest.isFirst };
        }
        store.deleteBefore(toTimestamp(new Date(now - FORGET_MS)));
        for (const { key, failures } of looks) store.write(key, failures + 1, toTimestamp(new Date(now)));
        return { isAllowed: true };
      }),
    succeed: (attempt) =>
      database.write(() => {
        for (const { key, rule } of keysOf(attempt)) {
          if (rule === OF_LOGIN) store.delete(key);
          else giveBack(key);
        }
      }),
    giveBack: (attempt) =>
      database.write(() => {
        for (const { key } of keysOf(attempt)) giveBack(key);
      }),
    forget: (logins) =>
      database.write(() => {
        for (const login of logins) store.delete(toLoginKey(login));
      }),
  };
}

function keysOf({ login, address }: Attempt): { key: string; rule: Rule }[] {
  const ofLogin = { key: toLoginKey(login), rule: OF_LOGIN };
  // A proxy may hide the clients' addresses, so that all requests come from loopback: one client must not block the
  // others.
  if (address === null || isLoopback(address)) return [ofLogin];
  return [ofLogin, { key: toKey('address', toNetwork(address)), rule: OF_ADDRESS }];
}

function toLoginKey(login: string): string {
  return toKey('login', foldCase(login.slice(0, MAX_LOGIN_LENGTH)));
}

function toKey(sort: string, text: string): string {
  return `${sort}:${hash('sha256', text).slice(0, 4)}`;
}

interface FailureRow {
  readonly failures: number;
  readonly failed_at: string;
  readonly turned_away: number;
}

const WRITE = `
  INSERT INTO sign_in_failures (key, failures, failed_at) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET failures = excluded.failures, failed_at = excluded.failed_at, turned_away = 0
`;

/** The rows of failures: the only place with their SQL. Callers hold the transaction. */
function createFailureStore(database: Database) {
  return {
    find: (key: string): Count | undefined => {
      const row = database.statement<FailureRow>('SELECT * FROM sign_in_failures WHERE key = ?').get(key);
      if (row === undefined) return undefined;
      const { failures, failed_at, turned_away } = row;
      return { failures, failedAt: Date.parse(failed_at), isTurnedAway: turned_away === 1 };
    },
    write: (key: string, failures: number, failedAt: string): void => {
      database.statement(WRITE).run(key, failures, failedAt);
    },
    turnAway: (key: string): void => {
      database.statement('UPDATE sign_in_failures SET turned_away = 1 WHERE key = ?').run(key);
    },
    delete: (key: string): void => {
      database.statement('DELETE FROM sign_in_failures WHERE key = ?').run(key);
    },
    deleteBefore: (time: string): void => {
      database.statement('DELETE FROM sign_in_failures WHERE failed_at <= ?').run(time);
    },
  };
}
