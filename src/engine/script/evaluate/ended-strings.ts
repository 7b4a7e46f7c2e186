import { createDiagnostic, type Diagnostic } from '../../text/diagnostic.ts';
import { type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import type { JsonValue } from '../params/json-value.ts';
import type { SourceLocation } from '../params/output.ts';
import { readReference } from '../params/param-names.ts';
import { isReplacedOrigin } from '../params/params.ts';
import type { Statement } from './steps.ts';

/** Finds the parameters that end the string of SQL around them, because their values have an odd number of `'`. */
export function* findEndedStrings(
  { sql, start: first, findOrigin }: Statement,
  lexicalRules: LexicalRules,
): Interruptible<readonly Diagnostic[]> {
  const values = findOrigin({ start: first, end: first })?.rendered.values ?? new Map<string, JsonValue>();
  if (!values.values().some(endsString)) return [];
  const diagnostics: Diagnostic[] = [];
  let passed = 0;
  for (const { kind, start, end } of scanSql(sql, lexicalRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (kind !== 'string' || isOfParam(findOrigin({ start, end: start + 1 }))) continue;
    const close = findOrigin({ start: end - 1, end });
    if (close === null || !isOfParam(close)) continue;
    const { rendered, span } = close;
    const name = readReference(rendered.source.text, span.start)?.name ?? '';
    if (!endsString(values.get(name) ?? null)) continue;
    const message = `the value of \`$${name}\` has a \`'\`, which ends the string: in a script, write \`{{ sql.Literal($${name}) }}\` without quotes; in other SQL, bind the value (\`--bind\`, \`bind\`), without quotes`;
    diagnostics.push(createDiagnostic(rendered.source, span, message, 'parameter'));
  }
  return diagnostics;
}

function endsString(value: JsonValue): boolean {
  return typeof value === 'string' && value.split("'").length % 2 === 0;
}

function isOfParam(origin: SourceLocation | null): boolean {
  return origin !== null && isReplacedOrigin(origin.rendered, origin.span.start);
}
