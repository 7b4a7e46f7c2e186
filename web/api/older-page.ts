/** The query of a list that is read backwards: the page after a row has the rows before it. */
export function toOlderPage(query: string): URLSearchParams {
  const page = new URLSearchParams(query);
  const after = page.get('after');
  page.delete('after');
  if (after !== null) page.set('before', after);
  return page;
}
