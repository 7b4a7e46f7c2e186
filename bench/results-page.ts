import type { Row } from './bench.ts';

const HEAD = `# Benchmark results

\`npm run bench\` writes this page, and \`npm run bench -- NAME --keep\` writes one section. Figures are medians. A figure
and its peer are measured in turn in one run.
`;

/** The section of one benchmark file; \`machine\` describes the machine and the date. */
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

/** Replaces some sections of a page; the others stay. */
export function replaceSections(page: string, replaced: ReadonlyMap<string, string>): string {
  const old = page.split(/^(?=## )/m).filter((part) => part.startsWith('## '));
  const all = new Map([
    ...old.map((part) => [part.slice(3, part.indexOf('\n')), part.trimEnd().concat('\n')] as const),
    ...replaced,
  ]);
  const sorted = [...all].toSorted(([a], [b]) => a.localeCompare(b)).map(([, part]) => part);
  return [HEAD, ...sorted].join('\n');
}
