import { escapeHtml } from '../../text/escape-html.ts';
import { toPrintable, toPrintableLines } from '../../text/printable.ts';
import type { LineageNode } from './lineage-facts.ts';

/** A text of the project for one line of the page. */
export function printLine(text: string): string {
  return escapeHtml(toPrintable(text, 0).text);
}

/** A text of the project with its lines. */
function printLines(text: string): string {
  return escapeHtml(toPrintableLines(text));
}

/** The part of the address that chooses a block or test; also the id of its element. */
function toFragment(id: string): string {
  return encodeURI(id.toWellFormed()).replaceAll('#', '%23');
}

/** The list of all blocks and tests, below their packages. */
export function printNodeList(nodes: readonly LineageNode[]): string {
  const packages = [...Map.groupBy(nodes, ({ packageName }) => packageName)];
  return packages
    .map(([name, members]) => {
      const heading = `<h2>${printLine(name === '' ? 'Without a package' : name)}</h2>`;
      return `<section>${heading}${printLinks(members, 'nodes')}</section>\n`;
    })
    .join('');
}

/** A block or test with everything that is known about it. */
export function printDetails(node: LineageNode): string {
  const fragment = escapeHtml(toFragment(node.id));
  const tests = node.readers.filter(({ kind }) => kind === 'test');
  const readers = node.readers.filter(({ kind }) => kind !== 'test');
  const parts = [
    `<h2 tabindex="-1">${printLine(node.name)} <i>${node.kind}</i></h2>`,
    printFacts(node),
    node.doc === null ? '' : `<p class="doc">${printLines(node.doc)}</p>`,
    printNeighbours('Reads', node.reads, 'reads'),
    printNeighbours('Is read by', readers, 'readers'),
    printNeighbours('Tests', tests, 'tests'),
    `<h3>SQL</h3><pre tabindex="0" role="group" aria-label="SQL of ${printLine(node.name)}"><code>${printLines(node.text)}</code></pre>`,
  ];
  return `<article id="${fragment}" class="${node.kind}">${parts.filter((part) => part !== '').join('\n')}</article>\n`;
}

function printFacts({ packageName, target, tags, file, line }: LineageNode): string {
  const facts = [
    ['Package', packageName],
    ['Target', target],
    ['Tags', tags.length === 0 ? null : tags.join(', ')],
    ['File', `${file}:${line}`],
  ] as const;
  const rows = facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`<div><dt>${name}</dt><dd>${printLine(value)}</dd></div>`],
  );
  return `<dl>${rows.join('')}</dl>`;
}

function printNeighbours(title: string, nodes: readonly LineageNode[], name: string): string {
  if (nodes.length === 0) return '';
  return `<h3>${title} <small>${nodes.length}</small></h3>${printLinks(nodes, name)}`;
}

function printLinks(nodes: readonly LineageNode[], name: string): string {
  const items = nodes.map((node) => {
    const address = escapeHtml(`#${toFragment(node.id)}`);
    return `<li class="${node.kind}"><a href="${address}">${printLine(node.name)}</a> <i>${node.kind}</i></li>`;
  });
  return `<ul class="${name}">${items.join('\n')}</ul>`;
}
