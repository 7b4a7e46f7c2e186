import type { Checker } from './checks.ts';

/** In bytes of base64. */
const MAX_SIZE = 256 * 1024;
/** The signature library's time grows with the square of the number of tags. */
const MAX_TAGS = 1_500;
const XML_DECLARATION =
  /^<\?xml version=(["'])1\.0\1(?:\s+encoding=(["'])utf-8\2)?(?:\s+standalone=(["'])(?:yes|no)\3)?\s*\?>/i;
const STRICT_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes the XML of a response that a browser has posted; base64 may contain line breaks. Throws a SamlError. */
export function decodeResponse(posted: string, checker: Checker): string {
  checker.require('size', posted.length <= MAX_SIZE, `${posted.length} bytes`);
  const base64 = posted.replaceAll(/[\r\n]/g, '');
  checker.require(
    'base64',
    STRICT_BASE64.test(base64) && base64 !== '',
    'an invalid character, or the end is missing',
  );
  const xml = decodeUtf8(Buffer.from(base64, 'base64'), checker);
  const tags = count(xml, '<');
  checker.require('elements', tags <= MAX_TAGS, `${tags} tags`);
  const content = xml.replace(XML_DECLARATION, '');
  checker.require('markup', !content.includes('<!') && !content.includes('<?'), () =>
    describeMarkup(content),
  );
  return xml;
}

function decodeUtf8(bytes: Buffer, checker: Checker): string {
  const text = new TextDecoder('utf-8').decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them
  const hasControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/.test(text);
  checker.require('encoding', !hasControls, 'bytes that are not UTF-8, or control characters');
  return text;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) found++;
  return found;
}

function describeMarkup(xml: string): string {
  return `it has \`${/<[!?][A-Za-z[-]*/.exec(xml)?.[0] ?? ''}\``;
}
