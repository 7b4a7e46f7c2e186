/** The element of the page with an id that `src/cli/lineage/print-page.ts` prints. */
export function get<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${id}`);
  return element;
}
