import type { NameSyntax } from '../../syntax/syntax.ts';

/**
 * The names that a name in a statement matches (docs/reference/semantic-sql.md#names): quoted, exactly; otherwise the
 * one in lower case, or all that differ only in case.
 */
export function matchName({ text, isQuoted }: NameSyntax, names: Iterable<string>): readonly string[] {
  const all = [...names];
  const exact = all.filter((name) => name === text);
  if (isQuoted || exact.length > 0) return exact;
  return all.filter((name) => name.toLowerCase() === text);
}

/** The values whose name matches a name in a statement. */
export function matchNamed<Named extends { readonly name: string }>(
  name: NameSyntax,
  all: readonly Named[],
): readonly Named[] {
  const matched = new Set(
    matchName(
      name,
      all.map((item) => item.name),
    ),
  );
  return all.filter((item) => matched.has(item.name));
}

/** Prints names joined with dots, for messages. */
export function printNames(names: readonly NameSyntax[]): string {
  return names.map(({ text }) => text).join('.');
}
