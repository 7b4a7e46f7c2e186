import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/context/command.ts';
import { COMMANDS } from '../../src/cli/table/commands.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, HOME } from '../../src/cli/table/global-options.ts';

/** The flags that mean something else on some commands; each line is one meaning. */
const SEVERAL_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  '--connection': [
    '-c, --connection <name>: connection to run on',
    '-c, --connection <name>: semantic connection',
    '-c, --connection <name>: also check the data on this connection',
    '-c, --connection <name>: only queries on this connection',
  ],
  '--dry-run': [
    '--dry-run: print the SQL without running it',
    '--dry-run: print types, warnings and the first rows, and load nothing',
    '--dry-run: print who would gain and lose what, and apply nothing',
  ],
  '--entity-id': [
    '--entity-id <id>: delete all links to the identity provider with this entity ID',
    "--entity-id <text>: entity ID of Quern; '' for the base URL (default)",
  ],
  '--format': [
    '-f, --format <format>: table, json, ndjson, csv, tsv, markdown, arrow, parquet or xlsx',
    '--format <format>: text, json, mermaid or html',
  ],
  '--group': [
    '--group <name>: group of the new user; repeatable',
    '--group <name>: only members of this group',
  ],
  '--query': [
    '--query <text>: only those with this part of a name, address or description',
    '--query <text>: only those with this part of the actor, action, object or address',
    '--query <text>: only those with this part of the token, method, path, error, address or body',
  ],
  '--outcome': [
    '--outcome <outcome>: only this outcome: done, failed, cancelled, timeout, lost or left',
    '--outcome <outcome>: only requests with this outcome: done, failed or refused',
  ],
  '--force': [
    '--force: replace an existing file',
    '--force: move an existing home aside; nothing is deleted',
  ],
  '--name': [
    '--name <name>: name of the token',
    '--name <name>: new name',
    '--name <text>: label of the button "Sign in with NAME"',
  ],
  '--project': [
    '--project <dir>: project on disk to search for dependencies; repeatable',
    '--project: create a project folder',
  ],
  '--role': [
    '--role <role>: ADMIN, EDITOR or VIEWER (default of a new user: EDITOR)',
    '--role <role>: only users with this role',
  ],
  '--strict': [
    '--strict: refuse queries whose groups overlap',
    '--strict: write nothing if anything would be lost',
  ],
  '--subject': [
    '--subject <subject>: only what affects user:NAME, group:NAME or everyone',
    '--subject <subject>: user:NAME, group:NAME or everyone; repeatable',
  ],
  '--timeout': [
    '--timeout <seconds>: stop after this many seconds',
    '--timeout <seconds>: default timeout of runs on this connection',
  ],
  '--user': [
    '--user <name>: owner of the token, by user name or e-mail address',
    '--user <name>: only queries of this user',
  ],
};

const commands: readonly Pick<Command, 'options'>[] = COMMANDS;
const options = [...commands.flatMap((command) => command.options), HOME, HELP_OPTION, ...GLOBAL_OPTIONS];

describe('a flag', () => {
  it('has one text wherever it appears, without its default, unless its meaning differs', () => {
    const meanings = new Map<string, Set<string>>();
    for (const { flags, summary } of options) {
      const [name = ''] = /--[\w-]+/.exec(flags) ?? [];
      const meaning = `${flags}: ${summary.replace(/ \(default: .*\)$/, '')}`;
      meanings.set(name, (meanings.get(name) ?? new Set()).add(meaning));
    }
    const several = [...meanings].filter(([, own]) => own.size > 1);
    expect(Object.fromEntries(several.map(([name, own]) => [name, [...own].toSorted()]))).toEqual(
      Object.fromEntries(Object.entries(SEVERAL_MEANINGS).map(([name, own]) => [name, own.toSorted()])),
    );
  });

  it('has a short form that no other flag has, except `-p` of `mkdir`', () => {
    const names = new Map<string, Set<string>>();
    for (const { flags } of options) {
      const [, short, name = ''] = /^(-\w), (--[\w-]+)/.exec(flags) ?? [];
      if (short !== undefined) names.set(short, (names.get(short) ?? new Set()).add(name));
    }
    const shared = [...names].filter(([, own]) => own.size > 1);
    expect(shared).toEqual([['-p', new Set(['--param', '--parents'])]]);
    expect(names.size).toBeGreaterThan(5);
  });
});
