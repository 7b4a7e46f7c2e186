export const IMPORT = '#+import "std/publication"\n';

/** A block with a publication; `head` is its name, with its parameters if any. */
export function declare(head: string, publication: string, body: string): string {
  const signature = head.includes('(') ? head : `${head}()`;
  return `#+src sql ${signature} #+meta { :publication { ${publication} } }\n#+begin\n${body}\n#+end\n`;
}

/** A script that publishes the block `A`, with further `options`. */
export function publishing(publication: string, body: string, options = ''): string {
  return `${declare('A', publication, body)}${IMPORT}{{ publication.Run(blocks=[A]${options}) }};`;
}
