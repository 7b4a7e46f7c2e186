import type { Random } from './random.ts';

/** Results over the shop's entities, each with a text, an integer, a number and a date; some are NULL. */
export const RESULTS: Readonly<Record<string, string>> = {
  each: 'SELECT status AS s, id AS i, revenue AS r, ordered_on AS d FROM orders GROUP BY 1, 2, 4',
  regions:
    'SELECT customers.region AS s, orders AS i, revenue AS r, MAX(ordered_on) AS d FROM orders GROUP BY 1',
  months:
    "SELECT status AS s, COUNT(*) AS i, SUM(amount) AS r, DATE_TRUNC('month', ordered_on) AS d FROM orders GROUP BY 1, 4",
  names: 'SELECT name AS s, id AS i, credit AS r, CAST(NULL AS DATE) AS d FROM customers GROUP BY 1, 2',
};

type Type = 's' | 'i' | 'r' | 'd';

interface Shell {
  /** A result appears in it as `{each}`. */
  readonly text: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
}

interface Column {
  readonly name: string;
  readonly type: Type;
  readonly text: string;
}

interface Source {
  readonly text: string;
  readonly columns: readonly { readonly text: string; readonly type: Type }[];
}

const TYPES: readonly Type[] = ['s', 'i', 'r', 'd'];
const VALUES: Readonly<Record<Type, readonly string[]>> = {
  s: ["'paid'", "'open'", "'north'", "''", "'Anna'"],
  i: ['1', '2', '3', '0', '-1'],
  r: ['10.1', '5', '0.5', '30.3'],
  d: ["DATE '2024-01-31'", "DATE '2024-03-01'", "DATE '2023-12-31'"],
};

/** Writes SQL over results in PostgreSQL's dialect. Its rows do not depend on an unwritten order. */
export class ShellWriter {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  write(depth = 2): Shell {
    const isLeaf = depth === 0 || this.#random.chance(0.2);
    if (isLeaf) return this.#select(0);
    return this.#random.pick([
      () => this.#select(depth),
      () => this.#select(depth),
      () => this.#groups(depth),
      () => this.#windows(depth),
      () => this.#set(depth),
      () => this.#with(depth),
    ])();
  }

  #name(wish: string): string {
    this.#count += 1;
    return `${wish}${this.#count}`;
  }

  #leaf(): string {
    return `{${this.#random.pick(Object.keys(RESULTS))}}`;
  }

  #relation(depth: number): Source {
    const alias = this.#name('t');
    const isLeaf = depth === 0 || this.#random.chance(0.5);
    if (isLeaf) {
      return {
        text: `${this.#leaf()} ${alias}`,
        columns: TYPES.map((type) => ({ text: `${alias}.${type}`, type })),
      };
    }
    const { text, columns } = this.write(depth - 1);
    return {
      text: `(${text}) ${alias}`,
      columns: columns.map(({ name, type }) => ({ text: `${alias}.${name}`, type })),
    };
  }

  #source(depth: number): Source {
    const left = this.#relation(depth);
    if (!this.#random.chance(0.35)) return left;
    const right = this.#relation(0);
    const columns = [...left.columns, ...right.columns];
    const key = left.columns.find((own) =>
      right.columns.some(({ type }) => type === own.type && type !== 'r'),
    );
    const other = right.columns.find(({ type }) => type === key?.type);
    if (key === undefined || other === undefined)
      return { text: `${left.text} CROSS JOIN ${right.text}`, columns };
    const word = this.#random.pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'INNER JOIN']);
    return { text: `${left.text} ${word} ${right.text} ON ${key.text} = ${other.text}`, columns };
  }

  #value({ columns }: Source, type: Type, depth: number): string {
    const own = columns.filter((column) => column.type === type).map(({ text }) => text);
    const simple = () =>
      own.length > 0 && this.#random.chance(0.8) ? this.#random.pick(own) : this.#random.pick(VALUES[type]);
    if (depth === 0) return simple();
    const inner = () => this.#value({ text: '', columns }, type, depth - 1);
    const all = [
      simple,
      simple,
      () => `COALESCE(${inner()}, ${this.#random.pick(VALUES[type])})`,
      () =>
        `CASE WHEN ${this.#condition({ text: '', columns }, depth - 1)} THEN ${inner()} ELSE ${inner()} END`,
      () => `NULLIF(${inner()}, ${this.#random.pick(VALUES[type])})`,
    ];
    if (type === 's')
      all.push(
        () => `LOWER(${inner()})`,
        () => `(${inner()} || 'x')`,
      );
    if (type === 'i' || type === 'r')
      all.push(
        () => `(${inner()} + ${inner()})`,
        () => `(${inner()} * 2)`,
        () => `ABS(${inner()})`,
      );
    return this.#random.pick(all)();
  }

  #condition(source: Source, depth: number): string {
    const type = this.#random.pick(TYPES);
    const value = () => this.#value(source, type, Math.min(depth, 1));
    const op = type === 's' ? this.#random.pick(['=', '<>']) : this.#random.pick(['=', '<>', '<', '>=']);
    const all = [
      () => `${value()} ${op} ${value()}`,
      () => `${value()} IS ${this.#random.pick(['', 'NOT '])}NULL`,
      () => `${value()} ${this.#random.pick(['', 'NOT '])}IN (${VALUES[type].slice(0, 3).join(', ')})`,
      () => `${value()} IS ${this.#random.pick(['', 'NOT '])}DISTINCT FROM ${value()}`,
    ];
    if (depth > 0) {
      const part = () => this.#condition(source, depth - 1);
      all.push(
        () => `(${part()} ${this.#random.pick(['AND', 'OR'])} ${part()})`,
        () => `NOT (${part()})`,
        () =>
          `${value()} ${this.#random.pick(['', 'NOT '])}IN (SELECT ${type} FROM ${this.#leaf()} ${this.#name('q')})`,
        () => `${value()} ${op} (SELECT MAX(${type}) FROM ${this.#leaf()} ${this.#name('q')})`,
        () =>
          `EXISTS (SELECT 1 FROM ${this.#leaf()} ${this.#name('q')} WHERE ${this.#random.pick(['i > 2', "s = 'paid'", 'r IS NULL', 'i > 99'])})`,
      );
    }
    return this.#random.pick(all)();
  }

  #where(source: Source): string {
    return this.#random.chance(0.6) ? ` WHERE ${this.#condition(source, 2)}` : '';
  }

  #items(source: Source, count: number): readonly Column[] {
    return Array.from({ length: count }, () => {
      const type = this.#random.pick(TYPES);
      return { name: this.#name('c'), type, text: this.#value(source, type, 2) };
    });
  }

  #select(depth: number): Shell {
    const source = this.#source(depth);
    const items = this.#items(source, this.#random.int(3) + 1);
    const distinct = this.#random.chance(0.3) ? 'DISTINCT ' : '';
    const list = items.map(({ text, name }) => `${text} AS ${name}`).join(', ');
    return { text: `SELECT ${distinct}${list} FROM ${source.text}${this.#where(source)}`, columns: items };
  }

  #groups(depth: number): Shell {
    const source = this.#source(depth);
    const keys = this.#items(source, this.#random.int(3));
    const aggregates = Array.from({ length: this.#random.int(2) + 1 }, () => this.#aggregate(source));
    const columns = [...keys, ...aggregates];
    const list = columns.map(({ text, name }) => `${text} AS ${name}`).join(', ');
    // A bare value would be read as a column number, or group nothing.
    const named = keys.filter(({ text }) => /\bt\d+\./.test(text));
    const by =
      named.length === 0
        ? ''
        : ` GROUP BY ${named.map(({ name }) => `${columns.findIndex((own) => own.name === name) + 1}`).join(', ')}`;
    const having = this.#random.chance(0.4)
      ? ` HAVING COUNT(*) ${this.#random.pick(['> 1', '< 3', '>= 0'])}`
      : '';
    return { text: `SELECT ${list} FROM ${source.text}${this.#where(source)}${by}${having}`, columns };
  }

  #aggregate(source: Source): Column {
    const name = this.#name('c');
    const filter = this.#random.chance(0.3) ? ` FILTER (WHERE ${this.#condition(source, 1)})` : '';
    const of = (type: Type) => this.#value(source, type, 1);
    return this.#random.pick([
      () => ({ name, type: 'i' as const, text: `COUNT(*)${filter}` }),
      () => ({ name, type: 'i' as const, text: `COUNT(${of(this.#random.pick(TYPES))})${filter}` }),
      () => ({
        name,
        type: 'i' as const,
        text: `COUNT(DISTINCT ${of(this.#random.pick(['s', 'i', 'd']))})${filter}`,
      }),
      () => ({ name, type: 'r' as const, text: `SUM(${of('r')})${filter}` }),
      () => ({ name, type: 'i' as const, text: `SUM(${of('i')})${filter}` }),
      () => ({ name, type: 'd' as const, text: `MIN(${of('d')})${filter}` }),
      () => ({ name, type: 's' as const, text: `MAX(${of('s')})${filter}` }),
    ])();
  }

  #windows(depth: number): Shell {
    const source = this.#relation(depth);
    const own = this.#items(source, 1);
    const column = this.#random.pick(source.columns).text;
    const part = this.#random.chance(0.5) ? `PARTITION BY ${column}` : '';
    const numbers = source.columns.filter(({ type }) => type === 'i' || type === 'd');
    const by = numbers.length === 0 ? null : this.#random.pick(numbers).text;
    const order =
      by === null
        ? ''
        : ` ORDER BY ${by}${this.#random.pick([' DESC', ''])} NULLS ${this.#random.pick(['FIRST', 'LAST'])}`;
    const over = `OVER (${part}${order})`;
    const sum = this.#value(source, this.#random.pick(['i', 'r']), 1);
    const calls = [
      `SUM(${sum}) ${over}`,
      `COUNT(*) ${over}`,
      `COUNT(${column}) OVER (${part})`,
      `MIN(${sum}) ${over}`,
    ];
    if (order !== '') calls.push(`RANK() ${over}`, `DENSE_RANK() ${over}`);
    const columns = [...own, { name: this.#name('c'), type: 'r' as const, text: this.#random.pick(calls) }];
    const list = columns.map(({ text, name }) => `${text} AS ${name}`).join(', ');
    return { text: `SELECT ${list} FROM ${source.text}${this.#where(source)}`, columns };
  }

  #set(depth: number): Shell {
    const types = Array.from({ length: this.#random.int(2) + 1 }, () => this.#random.pick(TYPES));
    const side = () => {
      const source = this.#source(depth - 1);
      const items = types.map((type) => `${this.#value(source, type, 1)} AS ${this.#name('c')}`);
      return `SELECT ${items.join(', ')} FROM ${source.text}${this.#where(source)}`;
    };
    const first = side();
    const columns = types.map((type, at) => {
      return {
        name: [...first.matchAll(/ AS (c\d+)(?=, | FROM )/g)].map((found) => found[1]!)[at] ?? '',
        type,
      };
    });
    const word = this.#random.pick([
      'UNION',
      'UNION ALL',
      'INTERSECT',
      'EXCEPT',
      'EXCEPT ALL',
      'INTERSECT ALL',
    ]);
    return { text: `${first} ${word} ${side()}`, columns };
  }

  #with(depth: number): Shell {
    const name = this.#name('w');
    const table = this.write(depth - 1);
    const [left, right] = [this.#name('t'), this.#name('t')];
    const columns = table.columns.map((own) => ({ text: `${left}.${own.name}`, type: own.type }));
    const source = { text: '', columns };
    const items = this.#items(source, 2);
    const list = items.map((own) => `${own.text} AS ${own.name}`).join(', ');
    const key = table.columns.find(({ type }) => type !== 'r');
    const joined =
      key === undefined ? '' : ` JOIN ${name} ${right} ON ${left}.${key.name} = ${right}.${key.name}`;
    return {
      text: `WITH ${name} AS (${table.text}) SELECT ${list} FROM ${name} ${left}${joined}${this.#where(source)}`,
      columns: items,
    };
  }
}
