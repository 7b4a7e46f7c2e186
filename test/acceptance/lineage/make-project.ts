import { writeFiles } from '../../support/quern.ts';

const PACKAGES = ['raw', 'staging', 'core', 'mart'] as const;

/**
 * Writes a project with a number of blocks in four packages. Each one reads one or two of the package before, every fourth
 * one has a test, and those of `mart` are targets.
 */
export function makeProject(cwd: string, count: number): void {
  const perPackage = Math.ceil(count / PACKAGES.length);
  const files = Array.from({ length: count }, (_, index) => {
    const at = Math.floor(index / perPackage);
    const before = PACKAGES[at - 1];
    const first = (at - 1) * perPackage;
    const read =
      before === undefined ? [] : [first + (index % perPackage), first + ((index * 7) % perPackage)];
    return [
      `${PACKAGES[at]}/block${index}.sql`,
      printBlock(index, PACKAGES[at] ?? '', before, new Set(read)),
    ];
  });
  writeFiles(cwd, {
    'project.toml': '[general]\nname = "acme.io/shop"\nversion = "1.0.0"\n',
    ...Object.fromEntries(files),
  });
}

function printBlock(index: number, owner: string, before: string | undefined, read: ReadonlySet<number>) {
  const from = [...read].map((each) => `SELECT day, amount FROM {{ ${before}.Orders${each}() }}`);
  const body =
    from.length === 0 ? `SELECT DATE '2026-01-01' AS day, ${index} AS amount` : from.join('\nUNION ALL ');
  const publication =
    owner === 'mart' ? `:publication { :type "table", :schema "mart", :name "orders${index}" }, ` : '';
  const test = `#+test sql Orders${index}ArePositive()\n#+begin SELECT * FROM {{ Orders${index}() }} WHERE amount < 0 #+end\n`;
  return [
    before === undefined ? '' : `#+import "acme.io/shop/${before}"\n\n`,
    `#+src sql Orders${index}()\n`,
    `#+meta { ${publication}:doc "Orders of shop ${index}, without returns.", :tags ["part${index % 3}"] }\n`,
    `#+begin\n${body}\n#+end\n`,
    index % 4 === 0 ? `\n${test}` : '',
  ].join('');
}
