import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DescribedGraph } from '../../engine/script/graph/describe.ts';
import { PACKAGE_ROOT } from '../../workspace/home/package-root.ts';
import { printQuantity } from '../context/print-quantity.ts';
import { findCommonPackage, type LineageNode, listLineage } from './lineage-facts.ts';
import { printDetails, printLine, printNodeList } from './print-nodes.ts';

/** The style sheet and the script of the page, which the build makes of `web/lineage`. */
export interface PageParts {
  readonly style: string;
  readonly script: string;
}

/** A page with the graph, which loads nothing (docs/reference/build.md#lineage). */
export async function printLineagePage(graph: DescribedGraph): Promise<string> {
  const read = (name: string) => readFile(path.join(PACKAGE_ROOT, 'dist/lineage', name), 'utf8');
  const [style, script] = await Promise.all([read('page.css'), read('page.js')]);
  return printLineageHtml(graph, { style, script });
}

/** The same with a given style sheet and script. Without JavaScript, it has the list and all details. */
export function printLineageHtml(graph: DescribedGraph, { style, script }: PageParts): string {
  const nodes = listLineage(graph);
  const common = findCommonPackage(nodes);
  const title = common === '' ? 'Lineage' : `Lineage of ${printLine(common)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${printPolicy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${title}</h1><p>${countKinds(nodes)}</p></header>
<nav id="list" aria-label="Blocks and tests">
${SEARCH}
${printNodeList(nodes)}</nav>
${GRAPH}
<main>
<p id="hint" hidden>Choose a block or test: the graph shows what it needs and what needs it.</p>
${nodes.map(printDetails).join('')}</main>
<script>${script}</script>
</body>
</html>
`;
}

/** The script shows these parts; without it, they would do nothing. */
const SEARCH = `<form role="search" hidden>
<label for="search">Search names, tags, :doc and SQL</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<output id="found" for="search"></output>
<button id="skip" type="button">Skip the list</button>
</form>`;

const GRAPH = `<section id="graph" aria-label="Graph" hidden>
<div id="controls">
<label><input id="related" type="checkbox">Only what the chosen block needs and what needs it</label>
<label><input id="tests" type="checkbox" checked>Tests</label>
<span id="zoom"><button type="button" data-zoom="out" aria-label="Zoom out">−</button><button type="button" data-zoom="in" aria-label="Zoom in">+</button><button type="button" data-zoom="fit">Fit</button></span>
<output id="drawn"></output>
</div>
<div id="canvas"></div>
</section>`;

function printPolicy(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function countKinds(nodes: readonly LineageNode[]): string {
  const count = (kind: LineageNode['kind']) => nodes.filter((node) => node.kind === kind).length;
  const counts = [
    [count('target'), 'target'],
    [count('block'), count('target') === 0 ? 'block' : 'other block'],
    [count('check'), 'check'],
    [count('test'), 'test'],
  ] as const;
  const present = counts.filter(([amount]) => amount > 0);
  return present.map(([amount, what]) => printQuantity(amount, what)).join(', ');
}
