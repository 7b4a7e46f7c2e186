// Adds the graph, the search and the choice of one block to the page of `quern lineage`, which `src/cli/lineage` prints.
import { get } from './get-element.ts';
import { GraphView } from './graph-view.ts';
import { NodeList } from './node-list.ts';
import { type PageNode, readLineage } from './read-lineage.ts';

const lineage = readLineage(document);
const title = document.title;
const hint = get('hint', HTMLElement);
const hintText = hint.textContent;

for (const part of document.querySelectorAll<HTMLElement>('[role=search], #graph')) part.hidden = false;
document.documentElement.classList.add('scripted');
const list = new NodeList(lineage, open);
const graph = new GraphView(lineage);
window.addEventListener('hashchange', () => {
  showChosen();
  document.querySelector<HTMLElement>('article:not([hidden]) h2')?.focus();
});
showChosen();

function open(id: string): void {
  if (location.hash !== `#${id}`) location.hash = id;
  else document.querySelector<HTMLElement>('article:not([hidden]) h2')?.focus();
}

/** Shows the block or test that the address names. */
function showChosen(): void {
  const id = location.hash.slice(1);
  const chosen = lineage.nodes.get(id);
  for (const { details } of lineage.nodes.values()) details.hidden = details !== chosen?.details;
  if (chosen !== undefined) makeFocusable(chosen);
  hint.hidden = chosen !== undefined;
  const isUnknown = chosen === undefined && id !== '';
  hint.textContent = isUnknown ? `The page has no block or test ${id}. ${hintText}` : hintText;
  document.title = chosen === undefined ? title : `${chosen.name} · ${title}`;
  list.mark(chosen?.id ?? null);
  graph.show(chosen?.id ?? null);
}

/** The heading takes the focus after a choice, and Tab leads to the SQL. */
function makeFocusable({ name, details }: PageNode): void {
  details.querySelector('h2')?.setAttribute('tabindex', '-1');
  const sql = details.querySelector('pre');
  for (const [key, value] of [
    ['tabindex', '0'],
    ['role', 'group'],
    ['aria-label', `SQL of ${name}`],
  ] as const) {
    sql?.setAttribute(key, value);
  }
}
