import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listErrorCodes } from '../support/http.ts';

const src = path.resolve(import.meta.dirname, '../../src');
/** Contains the configuration of a proxy. */
const page = path.resolve(import.meta.dirname, '../../docs/guides/deploy-proxy.md');

/** Catalogues of errors that only commands on a home report; these print the text and no code. */
const COMMAND_FILES = [
  'workspace/backup/errors.ts',
  'workspace/load/errors.ts',
  'workspace/spreadsheets/errors.ts',
];

/** Codes of such errors in other catalogues. */
const COMMAND_CODES = [
  'acting_user_disabled',
  'acting_user_not_found',
  'backup_in_progress',
  'connection_not_loadable',
  'executions_still_running',
  'no_server',
  'server_unreachable',
  'socket_of_other_user',
];

const catalogues = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(src, file), 'utf8') }));

/**
 * The call of an error factory: a status, a SCIM type if it has one, and a code, which can be the code of
 * another error.
 */
const CALL =
  /\bnew (?:ServiceError\(|ScimError\((?=\s*\d{3},\s*'\w+'))\s*(?<status>\d{3}),\s*(?:(?<=ScimError\(\s*\d{3},\s*)'\w+',\s*)?(?<code>'\w+'|code|error\.code),/g;
const QUESTION = /\b(?<kind>invalid|refused)\(\s*'(?<code>\w+)',/g;

function listUsedCodes(): ReadonlyMap<string, readonly number[]> {
  const used = new Map<string, number[]>();
  const note = (code: string, status: number) =>
    used.set(code, [...new Set([...(used.get(code) ?? []), status])]);
  for (const { file, text } of catalogues) {
    if (COMMAND_FILES.includes(file)) continue;
    for (const { groups } of text.matchAll(CALL)) {
      if (groups!.code!.startsWith("'")) note(groups!.code!.slice(1, -1), Number(groups!.status));
    }
  }
  const questions = catalogues.find(({ file }) => file === path.join('semantic', 'errors.ts'))!;
  for (const { groups } of questions.text.matchAll(QUESTION)) {
    note(groups!.code!, groups!.kind === 'invalid' ? 400 : 422);
  }
  return used;
}

/** The code that the documented proxy answers by itself, with its statuses. */
function listProxyCode(): readonly [string, readonly number[]] {
  const [, statuses, code] = /error_page ([\d ]+) \/[\s\S]*?"code":"(\w+)"/.exec(readFileSync(page, 'utf8'))!;
  // 494 is nginx's status for large headers; clients get 400.
  return [
    code!,
    statuses!
      .split(' ')
      .map(Number)
      .filter((status) => status !== 494),
  ];
}

const toObject = (codes: ReadonlyMap<string, readonly number[]>) =>
  Object.fromEntries(
    [...codes].map(([code, statuses]) => [code, statuses.toSorted((one, other) => one - other)]),
  );

describe('error codes', () => {
  it('are documented with each of their statuses, and no other code is documented', () => {
    const used = new Map([...listUsedCodes()].filter(([code]) => !COMMAND_CODES.includes(code)));
    expect(used.size).toBeGreaterThan(150);
    expect(toObject(new Map([...used, listProxyCode()]))).toEqual(toObject(listErrorCodes()));
  });

  it('are written as words in snake case', () => {
    for (const code of listUsedCodes().keys()) expect(code).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
  });

  it('appear in every call that creates an error', () => {
    for (const { file, text } of catalogues) {
      const calls = text.match(/\bnew (?:ServiceError|ScimError)\(/g)?.length ?? 0;
      const passedOn = text.match(/\bnew ServiceError\((?:kind === [^,]*|status), code,/g)?.length ?? 0;
      expect([file, text.match(CALL)?.length ?? 0]).toEqual([file, calls - passedOn]);
    }
  });

  it('of command-line errors are still in use', () => {
    const used = listUsedCodes();
    expect(COMMAND_CODES.filter((code) => !used.has(code))).toEqual([]);
    expect(COMMAND_FILES.filter((file) => !catalogues.some((other) => other.file === file))).toEqual([]);
  });
});
