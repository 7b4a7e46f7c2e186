import type { Snapshot } from '../../src/engine/project/snapshot.ts';
import { compileFile } from '../../src/engine/script/compile.ts';
import { loadProgram } from '../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../src/engine/script/load/parse-cache.ts';
import { LEXICAL_RULES } from '../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../src/engine/text/sql-dialect.ts';
import { readFigures } from '../measure.ts';

// script MODE: measures the language on a large project: the first load (cold), a load after a change of one file
// (changed), and the rendering of a block that calls 200 others (render).
const [mode = 'cold'] = process.argv.slice(2);
const FILES = 1000;
const PACKAGES = 50;
const BLOCKS = 5;
const ROUNDS = 5;

/** A block of 40 lines with three calls; one in five has a condition and a loop. */
function printBlock(file: number, block: number): string {
  const name = `Block_${file}_${block}`;
  const called = [1, 2, 3].map((step) => {
    const [other, which] = [file + step * PACKAGES, (block + step) % BLOCKS];
    return other < FILES
      ? `{{ Block_${other}_${which}(n=n + ${step}) }}`
      : `(SELECT ${step} AS id, 'x' AS region)`;
  });
  const lines = Array.from({ length: 30 }, (_, i) => `    source.column_number_${i} AS renamed_column_${i},`);
  const extra =
    block === 0
      ? [
          `    #+if n > 2 then source.a, #+else source.b, #+end`,
          `    #+for c : Columns separator " " do {{ c }}, #+end`,
        ]
      : [`    source.plain_column AS plain,`, `    source.other_column AS other,`];
  return [
    `#+src sql ${name}(n=1, region="north")`,
    `#+meta { :doc "Rows of block ${block} in file ${file}." }`,
    '#+begin',
    `SELECT -- the columns of ${name}`,
    ...lines,
    ...extra,
    `    '{{ region }}' AS region`,
    `FROM ${called[0]} AS source`,
    `JOIN ${called[1]} AS other ON other.id = source.id`,
    `LEFT JOIN ${called[2]} AS third ON third.id = source.id AND third.day >= DATE '$day'`,
    `WHERE source.region = '{{ region }}'`,
    '#+end',
    '',
  ].join('\n');
}

function printFile(file: number, note: string): string {
  const blocks = Array.from({ length: BLOCKS }, (_, block) => printBlock(file, block));
  const constants = file < PACKAGES ? '#+const\n  Columns = ["first", "second", "third"];\n#+end\n' : '';
  return `-- file ${file} ${note}\n${constants}${blocks.join('\n')}`;
}

/** Fifty packages of twenty files; a block calls only blocks of its package. */
function createSnapshot(note: string, main: string): Snapshot {
  const packages = Array.from({ length: PACKAGES }, (_, at) => ({
    id: `p${at}`,
    name: `bench/p${at}`,
    files: Array.from({ length: FILES / PACKAGES }, (_, i) => {
      const file = at + i * PACKAGES;
      return { name: `p${at}/file_${file}.sql`, text: printFile(file, file === 0 ? note : '') };
    }),
    unreadable: [],
    imports: {},
  }));
  const paths = packages.map(({ id }) => [`bench/${id}`, { kind: 'package', id } as const] as const);
  const files = [{ name: 'main.sql', text: main }];
  return {
    needs: [{ id: 'main' }],
    packages: [
      { id: 'main', name: 'main', files, unreadable: [], imports: Object.fromEntries(paths) },
      ...packages,
    ],
  };
}

const imports = Array.from({ length: PACKAGES }, (_, at) => `#+import "bench/p${at}"\n`).join('');
const calls = Array.from({ length: 200 }, (_, i) => {
  const file = FILES - PACKAGES + (i % PACKAGES);
  return `SELECT * FROM {{ p${i % PACKAGES}.Block_${file}_${(i % 4) + 1}(n=${i}) }}`;
});
const main = `${imports}${calls.join('\nUNION ALL\n')}`;
const params = { day: '2026-01-01' };
const options = { dialect: SQL_DIALECT.duckdb, lexicalRules: LEXICAL_RULES.duckdb, now: 0, warn: () => {} };

const cache = createParseCache();
const first = createSnapshot('', main);
const bytes = first.packages.flatMap(({ files }) => files).reduce((sum, { text }) => sum + text.length, 0);
let [start, cpu] = [performance.now(), process.cpuUsage()];
const program = loadProgram(first, params, cache);
let figures = readFigures(start, cpu);
if (mode === 'changed') {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const snapshot = createSnapshot(`changed ${round}`, main);
    return measure(() => loadProgram(snapshot, params, cache));
  });
  figures = median(rounds);
}
if (mode === 'render') {
  compileFile(program, 'main.sql', options);
  figures = median(
    Array.from({ length: ROUNDS }, () => measure(() => compileFile(program, 'main.sql', options))),
  );
}
console.log(JSON.stringify({ ...figures, bytes }));

function measure(work: () => void) {
  [start, cpu] = [performance.now(), process.cpuUsage()];
  work();
  return readFigures(start, cpu);
}

function median<T extends { readonly wall: number }>(all: readonly T[]): T {
  return all.toSorted((a, b) => a.wall - b.wall)[all.length >> 1]!;
}
