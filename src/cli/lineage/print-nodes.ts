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
      return `<section>${heading}${printLinks(members, printName)}</section>\n`;
    })
    .join('');
}

/** A block or test with everything that is known about it. */
export function printDetails(node: LineageNode): string {
  const fragment = escapeHtml(toFragment(node.id));
  const tests = node.readers.filter((reader) => findClass(reader) === 'test');
  const readers = node.readers.filter((reader) => findClass(reader) !== 'test');
  const parts = [
    `<h2>${printLine(node.name)} <i>${node.kind}</i></h2>`,
    printFacts(node),
    node.doc === null ? '' : `<p class="doc">${printLines(node.doc)}</p>`,
    // The script finds the edges in these lists.
    printNeighbours('Reads', node, node.reads, ' class="reads"'),
    printNeighbours('Is read by', node, readers),
    printNeighbours('Tests', node, tests),
    `<h3>SQL</h3><pre>${printLines(node.text)}</pre>`,
  ];
  return `<article id="${fragment}" class="${findClass(node)}">${parts.filter((part) => part !== '').join('\n')}</article>\n`;
}

function printFacts({ packageName, target, tags, file, line }: LineageNode): string {
  const facts = [
    ['Package', packageName],
    ['Target', target],
    ['Tags', tags.length === 0 ? null : tags.join(', ')],
    ['File', `${file}:${line}`],
  ] as const;
  const rows = facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`<dt>${name}<dd>${printLine(value)}`],
  );
  return `<dl>${rows.join('')}</dl>`;
}

function printNeighbours(
  title: string,
  { packageName }: LineageNode,
  nodes: readonly LineageNode[],
  attributes = '',
): string {
  if (nodes.length === 0) return '';
  const print = (node: LineageNode) =>
    node.packageName === packageName ? printName(node) : printQualified(node);
  return `<h3>${title} <small>${nodes.length}</small></h3>${printLinks(nodes, print, attributes)}`;
}

function printLinks(
  nodes: readonly LineageNode[],
  print: (node: LineageNode) => string,
  attributes = '',
): string {
  const items = nodes.map((node) => {
    const address = escapeHtml(`#${toFragment(node.id)}`);
    return `<li class="${findClass(node)}"><a href="${address}">${print(node)}</a> <i>${node.kind}</i>`;
  });
  return `<ul${attributes}>${items.join('\n')}</ul>`;
}

const printName = ({ name }: LineageNode) => printLine(name);

/** The name as a script of another package writes it. */
function printQualified({ packageName, name }: LineageNode): string {
  const alias = packageName.slice(packageName.lastIndexOf('/') + 1);
  return printLine(alias === '' ? name : `${alias}.${name}`);
}

/** The class of a node: checks look like tests. */
function findClass({ kind }: Pick<LineageNode, 'kind'>): Exclude<LineageNode['kind'], 'check'> {
  return kind === 'check' ? 'test' : kind;
}
