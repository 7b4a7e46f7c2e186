import type { Row } from './bench.ts';

const HEAD = `# Benchmark results

Written by \`npm run bench\`, all of it or with \`-- NAME --keep\` one part. Medians; a figure and its peer were measured in
turn in one run.
`;

/** The part of the page that has the rows of one file of benchmarks; \`machine\` says where and when they came about. */
export function printSection(name: string, machine: string, rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    return `| ${row.name} | ${row.value} | ${row.limit}${row.share > 1 ? ' (missed)' : ''} | ${row.detail} |`;
  });
  return `## ${name}

${machine}

| | figure | limit | medians |
|---|---|---|---|
${lines.join('\n')}
`;
}

/** A page with some parts in place of those that it had; the others stay. */
export function replaceSections(page: string, replaced: ReadonlyMap<string, string>): string {
  const old = page.split(/^(?=## )/m).filter((part) => part.startsWith('## '));
  const all = new Map([
    ...old.map((part) => [part.slice(3, part.indexOf('\n')), part.trimEnd().concat('\n')] as const),
    ...replaced,
  ]);
  const sorted = [...all].toSorted(([a], [b]) => a.localeCompare(b)).map(([, part]) => part);
  return [HEAD, ...sorted].join('\n');
}
