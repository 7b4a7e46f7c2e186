import type { Command, CommandOption } from '../context/command.ts';
import {
  CONNECTION,
  JSON_OPTION,
  OUTPUT,
  OVERRIDE,
  SCRIPT_OPTIONS,
  TIMEOUT,
  UNRESTRICTED,
} from './shared-options.ts';

const SELECTORS = {
  name: '[selectors...]',
  summary:
    'packages, their folders, package.Name, patterns such as "sources/*", tag:NAME, changed; +x adds what x needs, x+ what needs x (default: all)',
} as const;
const EXCLUDE = {
  flags: '--exclude <selector>',
  summary: 'exclude what this selects; repeatable',
  reader: 'list',
} as const satisfies CommandOption;
const FAIL_FAST = {
  flags: '--fail-fast',
  summary: 'start nothing after the first failure',
} as const satisfies CommandOption;
const DEFER = {
  flags: '--defer <environment>',
  summary: 'read targets that are not selected from this environment',
} as const satisfies CommandOption;
const FULL_REFRESH = {
  flags: '--full-refresh',
  summary: 'replace incremental tables completely',
} as const satisfies CommandOption;
const REPORTER = {
  flags: '--reporter <name>',
  summary: 'list, dot, tap, github, junit=FILE or json=FILE; repeatable',
  reader: 'list',
} as const satisfies CommandOption;
const PARALLEL = {
  flags: '--parallel <number>',
  summary: 'how many to run at the same time',
  reader: 'positive',
} as const satisfies CommandOption;
const STORE_FAILURES = {
  flags: '--store-failures [schema]',
  summary: 'keep the wrong rows of tests as tables of this schema (default: quern_failures)',
} as const satisfies CommandOption;
const DATABASE_OPTIONS = [CONNECTION, OVERRIDE] as const;

/** Commands on the blocks and tests of a project, which take the same selectors. */
export const PROJECT_COMMANDS = [
  {
    name: 'build',
    summary: 'publish blocks and run their tests, in the order of what they read',
    args: [SELECTORS],
    options: [
      ...SCRIPT_OPTIONS,
      ...DATABASE_OPTIONS,
      EXCLUDE,
      FAIL_FAST,
      FULL_REFRESH,
      DEFER,
      PARALLEL,
      STORE_FAILURES,
      REPORTER,
      { flags: '--verbose', summary: 'print a line for each test that has passed, too' },
      JSON_OPTION,
      TIMEOUT,
      UNRESTRICTED,
    ],
    examples: ['quern build', 'quern build +shop.Daily --parallel 4'],
  },
  {
    name: 'plan',
    summary: 'show what a build would publish, and what that changes',
    args: [SELECTORS],
    options: [
      ...SCRIPT_OPTIONS,
      ...DATABASE_OPTIONS,
      EXCLUDE,
      FULL_REFRESH,
      DEFER,
      { flags: '--offline', summary: 'open no database: only the order, the names and the reasons' },
      JSON_OPTION,
      TIMEOUT,
    ],
    examples: ['quern plan', 'quern plan changed+ --json'],
  },
  {
    name: 'ls',
    summary: 'list the blocks and tests of a project',
    args: [SELECTORS],
    options: [...SCRIPT_OPTIONS, EXCLUDE, JSON_OPTION],
    examples: ['quern ls', 'quern ls shop.Orders+'],
  },
  {
    name: 'lineage',
    summary: 'show which blocks and tests of a project read which',
    args: [SELECTORS],
    options: [
      ...SCRIPT_OPTIONS,
      EXCLUDE,
      { flags: '--format <format>', summary: 'text, json, mermaid or html (default: text)' },
      OUTPUT,
    ],
    examples: ['quern lineage', 'quern lineage --format html --output lineage.html'],
  },
  {
    name: 'test',
    summary: 'run data tests; a test passes if it returns no rows',
    args: [SELECTORS],
    options: [
      ...SCRIPT_OPTIONS,
      ...DATABASE_OPTIONS,
      EXCLUDE,
      FAIL_FAST,
      PARALLEL,
      STORE_FAILURES,
      REPORTER,
      { flags: '--allow-none', summary: 'succeed if there are no tests' },
      { flags: '--rerun-failed', summary: 'run only the tests that failed last time' },
      { flags: '--can-fail', summary: 'find the tests that pass on damaged copies of their rows, too' },
      {
        flags: '--rows <number>',
        summary: 'copy at most this many rows of each block (default: 10000)',
        reader: 'positive',
      },
      {
        flags: '--can-fail-timeout <seconds>',
        summary: 'damage the rows of each test for at most this many seconds (default: 60)',
        reader: 'positive',
      },
      JSON_OPTION,
      TIMEOUT,
      UNRESTRICTED,
    ],
    examples: [
      'quern test',
      'quern test project --fail-fast --reporter junit=tests.xml',
      'quern test --can-fail --json',
    ],
  },
] as const satisfies readonly Command[];
