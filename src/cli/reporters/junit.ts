import { hostname } from 'node:os';
import type { EndedTest } from '../../engine/run/outcome/test-report.ts';
import { elementAt, present } from '../../invariants/must.ts';

/** JUnit XML with one suite per package, limited to the elements that all readers accept. */
export function printJunit(tests: readonly EndedTest[]): string {
  const suites = Map.groupBy(tests, (test) => test.package_name);
  const parts = [...suites].map(([name, cases], id) => printSuite(name, cases, id));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${parts.join('')}</testsuites>\n`;
}

function printSuite(name: string, tests: readonly EndedTest[], id: number): string {
  const errors = tests.filter(isError).length;
  const failed = tests.filter(({ status }) => status === 'FAILED').length;
  const attributes = printAttributes({
    name,
    package: name,
    id,
    tests: tests.length,
    failures: failed - errors,
    errors,
    skipped: tests.filter(({ status }) => status === 'SKIPPED').length,
    time: toSeconds(tests.reduce((sum, test) => sum + test.duration_ms, 0)),
    timestamp: elementAt(tests, 0).started_at.slice(0, 19),
    hostname: hostname() || 'localhost',
  });
  const body = ['    <properties/>\n', ...tests.map(printCase), '    <system-out/>\n    <system-err/>\n'];
  return `  <testsuite${attributes}>\n${body.join('')}  </testsuite>\n`;
}

/** A test that could not run is an error; a test with rows is a failure. */
function printCase(test: EndedTest): string {
  const { test_name: name, package_name: classname, duration_ms } = test;
  const head = `    <testcase${printAttributes({ name, classname, time: toSeconds(duration_ms) })}`;
  if (test.status === 'PASSED') return `${head}/>\n`;
  if (test.status === 'SKIPPED') return `${head}>\n      <skipped/>\n    </testcase>\n`;
  const kind = isError(test) ? 'error' : 'failure';
  const attributes = printAttributes({ message: test.message, type: kind });
  return `${head}>\n      <${kind}${attributes}>${escapeXml(printDetails(test))}</${kind}>\n    </testcase>\n`;
}

function isError({ status, sample }: EndedTest): boolean {
  return status === 'FAILED' && sample === null;
}

/** The positions of the diagnostics, or the position of the test and its rows. */
function printDetails({ file, line, column, sample, diagnostics }: EndedTest): string {
  if (diagnostics.length > 0) {
    return diagnostics
      .map(
        (diagnostic) =>
          `${diagnostic.file}:${diagnostic.line}:${diagnostic.column}: ${diagnostic.severity}: ${diagnostic.message}\n${diagnostic.frame}`,
      )
      .join('\n');
  }
  const rows = sample === null ? [] : [sample.columns, ...sample.rows];
  const lines = rows.map((row) => row.map((value) => value ?? 'NULL').join('\t'));
  return [`${file}:${line}:${column}`, ...lines].join('\n');
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Attributes; white space in values is escaped, because XML readers normalize it. */
function printAttributes(values: Readonly<Record<string, string | number>>): string {
  const spell = (character: string) => `&#${character.charCodeAt(0)};`;
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replace(/[\t\n]/g, spell)}"`)
    .join('');
}

/** Escapes text for XML, and removes characters that XML does not allow. */
function escapeXml(text: string): string {
  const held = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    '\r': '&#13;',
  };
  return held.replace(/[&<>"\r]/g, (character) => present(names[character]));
}
