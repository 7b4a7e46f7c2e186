import { notNull } from '../../../invariants/must.ts';
import type { Expression } from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';
import type { CheckText } from './check-text.ts';
import { type CheckWord, type ParsedCheck, readColumnText, readSeconds } from './parse-checks.ts';

/** The names that the text of a check uses: its block, and the library `std/sql`. */
interface CheckNames {
  readonly block: string;
  readonly library: string;
}

/** Prints a check as a test, whose rows are the wrong ones, and a query for the number of checked rows. */
export function printCheck(text: CheckText, check: ParsedCheck, names: CheckNames): void {
  const printer = new CheckPrinter(text, check, names);
  text.add('#+test sql Wrong()\n');
  printer.printSeverity();
  text.add('#+begin\n');
  printer.printQuery();
  text.add('\n#+end\n#+src sql Total()\n#+begin\nSELECT COUNT(*) AS n FROM ');
  printer.printRows('t');
  text.add('\n#+end\n');
}

class CheckPrinter {
  readonly #text: CheckText;
  readonly #check: ParsedCheck;
  readonly #names: CheckNames;

  constructor(text: CheckText, check: ParsedCheck, names: CheckNames) {
    this.#text = text;
    this.#check = check;
    this.#names = names;
  }

  printSeverity(): void {
    const entries = ['severity', 'fail_above'].flatMap((key) => {
      const value = this.#find(key);
      return value === null ? [] : [{ key, value }];
    });
    if (entries.length === 0) return;
    this.#text.add('#+meta { ');
    for (const { key, value } of entries) {
      this.#text.add(`:${key} `);
      this.#text.copy(value);
      this.#text.add(', ');
    }
    this.#text.add('}\n');
  }

  /** The rows of the block that the check is about, as a relation with an alias. */
  printRows(alias: string): void {
    const where = this.#find('where');
    this.#text.add(
      where === null
        ? `{{ ${this.#names.block}() }} AS ${alias}`
        : `(SELECT * FROM {{ ${this.#names.block}() }} AS r WHERE (`,
    );
    if (where === null) return;
    this.#interpolate(where);
    this.#text.add(`\n)) AS ${alias}`);
  }

  printQuery(): void {
    const print: Readonly<Record<CheckWord, () => void>> = {
      unique: () => this.#printUnique(),
      not_null: () => this.#printNotNull(),
      accepted: () => this.#printAccepted(),
      references: () => this.#printReferences(),
      rows: () => this.#printRowCount(),
      fresh: () => this.#printFresh(),
    };
    print[this.#check.word]();
  }

  #printUnique(): void {
    const columns = this.#check.columns.map((column) => this.#name(column));
    const keys = columns.join(', ');
    const filled = columns.map((column) => `t.${column} IS NOT NULL`).join(' AND ');
    const same = columns.map((column) => `t.${column} = d.${column}`).join(' AND ');
    this.#text.add('SELECT t.* FROM ');
    this.printRows('t');
    this.#text.add(` JOIN (SELECT ${keys} FROM `);
    this.printRows('t');
    this.#text.add(` WHERE ${filled} GROUP BY ${keys} HAVING COUNT(*) > 1) AS d ON ${same}`);
  }

  #printNotNull(): void {
    this.#text.add('SELECT * FROM ');
    this.printRows('t');
    this.#text.add(` WHERE t.${this.#column()} IS NULL`);
  }

  #printAccepted(): void {
    const values = notNull(this.#find('values'));
    this.#text.add('SELECT * FROM ');
    this.printRows('t');
    this.#text.add(` WHERE t.${this.#column()} NOT IN (`);
    for (const [at, item] of (values.kind === 'list' ? values.items : []).entries()) {
      this.#text.add(`${at === 0 ? '' : ', '}{{ ${this.#names.library}.Literal(`);
      this.#text.copy(item);
      this.#text.add(') }}');
    }
    this.#text.add(')');
  }

  #printReferences(): void {
    const to = notNull(this.#find('to'));
    const column = this.#column();
    const other = this.#name(readColumnText(this.#find('column')) ?? notNull(this.#check.columns[0] ?? null));
    this.#text.add('SELECT * FROM ');
    this.printRows('t');
    this.#text.add(` WHERE t.${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `);
    this.#printTarget(to);
    this.#text.add(` AS o WHERE o.${other} = t.${column})`);
  }

  #printTarget(to: Expression): void {
    this.#text.add('{{ ');
    this.#text.copy(to);
    this.#text.add(`${to.kind === 'name' || to.kind === 'member' ? '()' : ''} }}`);
  }

  #printRowCount(): void {
    const limits = this.#check.limits?.entries ?? [];
    this.#text.add('SELECT c.row_count FROM (SELECT COUNT(*) AS row_count FROM ');
    this.printRows('t');
    this.#text.add(') AS c WHERE ');
    for (const [at, { key, value }] of limits.entries()) {
      this.#text.add(`${at === 0 ? '' : ' OR '}c.row_count ${key.name === 'min' ? '<' : '>'} `);
      this.#interpolate(value);
    }
  }

  #printFresh(): void {
    const { library } = this.#names;
    this.#text.add(`SELECT c.latest FROM (SELECT MAX(t.${this.#column()}) AS latest FROM `);
    this.printRows('t');
    const age = `{{ ${library}.SecondsSince("c.latest") }}`;
    this.#text.add(`) AS c WHERE c.latest IS NULL OR ${age} > ${readSeconds(this.#find('within'))}`);
  }

  #interpolate(expression: Expression): void {
    this.#text.add('{{ ');
    this.#text.copy(expression);
    this.#text.add(' }}');
  }

  #find(key: string): Expression | null {
    return findEntry(this.#check.options, key);
  }

  /** The first column, as SQL. */
  #column(): string {
    return this.#name(notNull(this.#check.columns[0] ?? null));
  }

  /** A column as SQL of the connection's database. */
  #name(column: string): string {
    return `{{ ${this.#names.library}.Identifier(${JSON.stringify(column)}) }}`;
  }
}
