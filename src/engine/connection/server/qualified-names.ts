import type { PublishedName } from '../contract/connection.ts';

/** Prints names for statements, with the quotes of one platform. */
export interface NamePrinter {
  print(target: PublishedName): string;
  printNames(names: readonly string[]): string;
}

export function createNamePrinter(quoteName: (name: string) => string): NamePrinter {
  return {
    print: ({ schema, name }) => `${quoteName(schema)}.${quoteName(name)}`,
    printNames: (names) => names.map(quoteName).join(', '),
  };
}
