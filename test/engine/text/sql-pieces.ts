import fc from 'fast-check';

/** Strings that look like SQL if a reader ignores the context. */
const TRAPS = [
  "'",
  '"',
  ';',
  '--',
  '/*',
  '*/',
  '$$',
  '$x$',
  '$x',
  '?',
  '\\',
  '#',
  '`',
  '[',
  'é;',
  ' ',
  '\n',
  'E',
];

function join(fragments: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...fragments), { maxLength: 6 }).map((parts) => parts.join(''));
}

const plainString = join(TRAPS).map((body) => `'${body.replaceAll("'", "''")}'`);

const escaped = join(TRAPS).map((body) => {
  const marked = body.replaceAll('\\', '\\\\');
  return marked.replaceAll("'", body.length % 2 === 0 ? "\\'" : "''");
});
const escapeString = fc.tuple(fc.constantFrom('E', 'e'), escaped).map(([e, body]) => `${e}'${body}'`);
const continuedString = fc
  .tuple(escapeString, fc.constantFrom('\n', ' \r', "\t-- it's;\n", ' -- a\n\n -- "b\r\n'), escaped)
  .map(([first, gap, second]) => `${first}${gap}'${second}'`);

const dollarQuote = fc
  .tuple(fc.constantFrom('$$', '$x$', '$_1$', '$É$'), join(TRAPS))
  .filter(([mark, body]) => (body + mark).indexOf(mark) === body.length)
  .map(([mark, body]) => mark + body + mark);

/** Complete string literals of DuckDB and PostgreSQL. */
export const literal = fc.oneof(plainString, escapeString, continuedString, dollarQuote);

/** Complete quoted names of DuckDB and PostgreSQL. */
export const quotedName = join(TRAPS).map((body) => `"n${body.replaceAll('"', '""')}"`);

const lineComment = fc
  .tuple(join(TRAPS.filter((trap) => trap !== '\n')), fc.constantFrom('\n', '\r', '\r\n'))
  .map(([body, end]) => `--${body}${end}`);

const { blockComment } = fc.letrec<{ blockComment: string; part: string }>((tie) => ({
  blockComment: fc.array(tie('part'), { maxLength: 4 }).map((parts) => `/*${parts.join('')}*/`),
  part: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    join([...TRAPS.filter((trap) => !/[*/]/.test(trap)), ' * ', ' / ', '*']).map((body) => `${body} `),
    tie('blockComment'),
  ),
}));

/** A comment of DuckDB and PostgreSQL with its end. */
export const comment = fc.oneof(lineComment, blockComment);

const space = fc.constantFrom(' ', '\t', '\n', '\r\n', '\f', '  ');

/** At least one space or comment, as separator of two words. */
export const gap = fc
  .array(fc.oneof(space, comment), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));

const name = fc.oneof(quotedName, fc.constantFrom('a$b', 'n$x$', 'é', '_$$', 'E', 'naïve1'));
const number = fc.constantFrom('1', '1_0', '.5', '1.', '1e5', '2.5E-3');
const value = fc.oneof({ weight: 4, arbitrary: literal }, { weight: 1, arbitrary: number });
const column = fc
  .tuple(value, gap, gap, name)
  .map(([text, before, after, as]) => `${text}${before}as${after}${as}`);

/** A complete SELECT that DuckDB can parse. */
const statement = fc
  .tuple(fc.constantFrom('select', 'SELECT'), gap, fc.array(column, { minLength: 1, maxLength: 3 }), gap)
  .map(([select, after, columns, between]) => select + after + columns.join(`,${between}`));

/** SQL with several statements, and the span of each. */
export const script = fc
  .tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.tuple(gap, fc.option(statement), gap), { maxLength: 4 }))
  .map(([mark, parts]) => {
    const statements: { start: number; end: number }[] = [];
    let text = mark;
    for (const [before, body, after] of parts) {
      text += before;
      if (body !== null) statements.push({ start: text.length, end: text.length + body.length });
      text += `${body ?? ''}${after};`;
    }
    return { text, statements };
  });
