import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeHome, quern, writeFiles } from '../../support/quern.ts';

const schema = path.resolve(import.meta.dirname, '../../support/junit.xsd');
const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;
if (!hasXmllint) console.warn('skipped: xmllint is not installed, so no report is validated');

/** The errors of the validator about a document; empty for a valid one. */
function validate(xml: string): string {
  const file = path.join(makeFolder(), 'report.xml');
  writeFileSync(file, xml);
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--schema', schema, file]);
  return status === 0 ? '' : stderr.toString();
}

/** The text of an XPath expression. */
function evaluate(xml: string, expression: string): string {
  const { stdout } = spawnSync('xmllint', ['--xpath', `string(${expression})`, '-'], { input: xml });
  return stdout.toString().replace(/\n$/, '');
}

const FILES = {
  'project.toml': '[general]\nname = "acme.io/shop"\n',
  'fine/t.sql':
    '#+test sql Passes() #+begin SELECT 1 WHERE false #+end\n#+test sql Ünïcode𝒳() #+begin SELECT 1 WHERE false #+end\n',
  'a & <b> "q" \'s\' 😀/t.sql':
    "#+test sql Rows() #+begin SELECT '<&>\"' || chr(7) || chr(9) || chr(13) || '😀]]>' AS \"a<b\" #+end\n",
  'broken/t.sql': `#+test sql Column() #+begin SELECT nope FROM (SELECT 1 AS "<&>") #+end
#+test sql Lines() #+begin SELECT error('one' || chr(10) || 'two' || chr(9) || chr(1) || '<😀>') #+end
#+test sql Value() #+begin SELECT {{ 1 - "x" }} #+end
`,
};

/** A project with tests that pass, fail and cannot run, and their report. */
async function report(args: readonly string[] = []): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, FILES);
  await quern(['test', ...args, '--reporter', 'junit=report.xml'], { cwd });
  return readFileSync(path.join(cwd, 'report.xml'), 'utf8');
}

describe.skipIf(!hasXmllint)('the report for JUnit', () => {
  it('is valid with any texts of tests and messages', async () => {
    const xml = await report();
    expect(validate(xml)).toBe('');
    const counts = ['sum(//@tests)', 'sum(//@failures)', 'sum(//@errors)', 'count(//testsuite)'];
    expect(counts.map((count) => evaluate(xml, count))).toEqual(['6', '1', '3', '3']);
    expect(['testcase', 'failure', 'error'].map((name) => evaluate(xml, `count(//${name})`))).toEqual([
      '6',
      '1',
      '3',
    ]);
  });

  it('contains the original texts, except for characters that XML does not allow', async () => {
    const xml = await report();
    expect(evaluate(xml, '//testsuite[.//failure]/@name')).toBe('acme.io/shop/a & <b> "q" \'s\' 😀');
    expect(evaluate(xml, '//failure')).toContain('a<b\n<&>"\ufffd');
    expect(evaluate(xml, '//failure')).toContain('😀]]>');
    expect(evaluate(xml, '//testcase[starts-with(@name, "Ünï")]/@name')).toBe('Ünïcode𝒳');
    const lines = evaluate(xml, '//testcase[@name="Lines"]/error/@message');
    expect(lines).toContain('one\ntwo\t\ufffd<😀>');
    const column = evaluate(xml, '//testcase[@name="Column"]/error');
    expect(column).toMatch(/^broken\/t\.sql:1:36: error: Binder Error.*\n[\s\S]*\^~~~$/);
  });

  it('is valid without a test', async () => {
    const xml = await report(['fine', '--exclude', 'fine', '--allow-none']);
    expect(validate(xml)).toBe('');
    expect(evaluate(xml, 'count(//testsuite)')).toBe('0');
  });

  it.each([
    [/ timestamp="[^"]*"/, '', "'timestamp' is required"],
    [/ timestamp="[^"]*"/, ' timestamp="2026-01-01T00:00:00Z"', "'timestamp'"],
    [/ hostname="[^"]*"/, '', "'hostname' is required"],
    [/ tests="\d+"/, ' tests="two"', "'tests'"],
    [/ errors="\d+"/, ' errors="-1"', "'errors'"],
    [/ time="[\d.]+"/, ' time="1 s"', "'time'"],
    [/ id="1"/, ' id="0"', 'suiteId'],
    [/ classname="[^"]*"/, '', "'classname' is required"],
    [/ type="error"/, '', "'type' is required"],
    [/<testsuites>/, '<testsuites total="1">', "'total' is not allowed"],
    [/<properties\/>/, '', 'Expected is ( properties )'],
    [/<system-out\/>/, '<output/>', 'not expected'],
  ])('is validated by a schema that refuses %s as "%s"', async (found, replacement, complaint) => {
    const xml = await report();
    expect(xml).toMatch(found);
    expect(validate(xml.replace(found, replacement))).toContain(complaint);
  });
});
