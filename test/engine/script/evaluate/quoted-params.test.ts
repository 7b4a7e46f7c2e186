import { describe, expect, it } from 'vitest';
import { findQuotedParams } from '../../../../src/engine/script/evaluate/quoted-params.ts';
import { LEXICAL_RULES } from '../../../../src/engine/text/lexical-rules.ts';

const found = (text: string, kind: keyof typeof LEXICAL_RULES = 'duckdb') =>
  findQuotedParams(text, LEXICAL_RULES[kind]).map(({ start, end }) => text.slice(start, end));

describe('a possible parameter inside a string', () => {
  it.each<[string, string[]]>([
    ["'$name'", ['$name']],
    ["'Hello, $name!' || 'on $day at $$hour'", ['$name', '$day', '$$hour']],
    ["LIKE '$abc%'", ['$abc']],
    ["'$year$month'", ['$year', '$month']],
    ["json_extract(x, '$.$key')", ['$key']],
    ["E'a\\'$x'", ['$x']],
  ])('is found in %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    "'^abc$' || 'a$|b' || '($)' || 'x$'",
    "'$.a' || '$[0].b' || '$' || '$.*'",
    "'$1' || '$12 off' || '$$' || '$ name'",
    "'\\$name'",
    "'$body$ text $body$'",
    "jsonb_path_query(x, '$.items[*] ? (@.price > $min)')",
    '-- $name\n/* \'$name\' */ "$name"',
    "$$ it's $name $$ || $q$ '$name' $q$",
    '$name',
  ])('is not found in %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('is found in the strings of each database', () => {
    expect(found('SELECT "$a", `$b`, \'$c\'', 'mysql')).toEqual(['$a', '$c']);
    expect(found('SELECT "$a", \'$c\'', 'postgresql')).toEqual(['$c']);
  });
});
