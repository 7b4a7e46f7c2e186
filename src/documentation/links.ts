import path from 'node:path';

/** The target of a link or an image on a page. */
type Target =
  | { readonly kind: 'page'; readonly name: string; readonly anchor: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'web'; readonly url: string };

/** Resolves a link of a page; `file` is relative to the folder of the documentation, and may be outside of it. */
export function resolveLink(page: string, href: string): Target {
  if (/^https?:/i.test(href)) return { kind: 'web', url: href };
  const [file = '', anchor = ''] = href.split('#');
  if (file === '') return { kind: 'page', name: page, anchor };
  const target = path.posix.join(path.posix.dirname(page), file);
  if (!target.endsWith('.md') || target.startsWith('..')) return { kind: 'file', file: target };
  return { kind: 'page', name: target.replace(/\.md$/, ''), anchor };
}

/** Makes the anchors of the headings of one page; of equal headings, all but the first get a number. */
export function createAnchors(): (heading: string) => string {
  const counts = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}
