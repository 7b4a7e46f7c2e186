/**
 * What a page of ours may load (`Content-Security-Policy`): files of this server, and styles that carry `nonce`. No
 * script in the page itself, nothing of other sites, and no frame around it.
 */
export function printContentPolicy(nonce?: string): string {
  const style = nonce === undefined ? "'self'" : `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
