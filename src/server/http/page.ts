import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { BrowserMessage } from '../../identity/saml/protocol/create-request.ts';
import { escapeHtml } from '../../text/escape-html.ts';

/** A page with a short message; words between back-ticks are shown as code, on one line. */
export interface PlainPage {
  readonly status: number;
  readonly title: string;
  readonly sentences: readonly string[];
  /** The reference of the log entry with the reason; optional. */
  readonly reference?: string;
}

/** The colours of the console (`web/theme.ts`). */
const STYLE =
  ':root{color-scheme:light dark}' +
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;' +
  'background:light-dark(#fbf5e9,#171513);color:light-dark(#1c1917,#e3dfda)}' +
  'h1{font-size:1.4rem}code{background:light-dark(#f3e7cd,#2b2825);border-radius:4px;padding:.1rem .3rem;overflow-wrap:anywhere}' +
  'a,button{color:light-dark(#855c16,#d1a64d);font:inherit}';

/** Sends a page without scripts; all strings are escaped. */
export function sendPage(
  reply: FastifyReply,
  { status, title, sentences, reference }: PlainPage,
): FastifyReply {
  const nonce = createNonce();
  const lines = [
    ...sentences.map((sentence) => `<p>${markCode(escapeHtml(sentence))}</p>`),
    ...(reference === undefined ? [] : [`<p>Reference: <code>${escapeHtml(reference)}</code></p>`]),
    '<p><a href="/login">Go to the sign-in page</a></p>',
  ];
  return send(reply.code(status), `style-src 'nonce-${nonce}'`, printHtml(title, nonce, lines.join('')));
}

/** Sends a page that submits a form to another site by script, or by its button if scripts are disabled. */
export function sendForm(
  reply: FastifyReply,
  { url, fields }: Extract<BrowserMessage, { kind: 'post' }>,
): FastifyReply {
  const nonce = createNonce();
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const form = `<form method="post" action="${escapeHtml(url)}">${inputs.join('')}<button>Continue</button></form>`;
  const script = `<script nonce="${nonce}">document.forms[0].submit()</script>`;
  const policy = `style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action ${new URL(url).origin}`;
  return send(reply.code(200), policy, printHtml('Signing in', nonce, form + script));
}

function send(reply: FastifyReply, policy: string, html: string): FastifyReply {
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; ${policy}`,
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
}

function printHtml(title: string, nonce: string, body: string): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · Quern</title>`;
  return `<!doctype html><html lang="en"><head>${head}<style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
}

function createNonce(): string {
  return randomBytes(16).toString('base64');
}

function markCode(html: string): string {
  return html.replaceAll(/`([^`]+)`/g, (_, code: string) => `<code>${code.replaceAll(' ', '&nbsp;')}</code>`);
}
