/** Receives the parts of a document in their order. Names have no prefix. */
export interface XmlHandler {
  readonly open: (name: string, attributes: string) => void;
  readonly close: (name: string) => void;
  /** A part of the text of an element; `decodeXml` replaces its entities. */
  readonly text: (text: string) => void;
}

/** Thrown for a document that is not well-formed, or has a DTD. */
export class XmlError extends Error {}

/** The maximum length of a tag or of a text between two tags, in UTF-16 units. */
const MAX_PENDING = 16 * 1024 * 1024;
const [QUOTE, APOSTROPHE, GREATER, SLASH] = [0x22, 0x27, 0x3e, 0x2f];
const BLANK = /[\s/]/;

/** Other markup than tags: where it starts and ends. */
const MARKUP = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** Reads a document part by part; `end` checks that it was complete. Both throw an XmlError. */
export class XmlReader {
  readonly #handler: XmlHandler;
  #rest = '';
  #depth = 0;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  take(part: string): void {
    const text = this.#rest === '' ? part : this.#rest + part;
    let at = 0;
    for (;;) {
      const start = text.indexOf('<', at);
      if (start < 0) break;
      if (start > at) {
        this.#handler.text(text.slice(at, start));
        at = start;
      }
      const end = this.#takeMarkup(text, start);
      if (end === undefined) break;
      at = end;
    }
    this.#rest = at === 0 ? text : text.slice(at);
    if (this.#rest.length > MAX_PENDING) throw new XmlError('it has a text that is too long');
  }

  end(): void {
    if (this.#depth !== 0 || this.#rest.trim() !== '') throw new XmlError('its XML is incomplete');
  }

  /** Returns the position after the markup that starts here; undefined if its end is not there yet. */
  #takeMarkup(text: string, start: number): number | undefined {
    const second = text[start + 1];
    if (second === '!' || second === '?') return this.#takeOther(text, start);
    const end = findTagEnd(text, start + 1);
    if (end === undefined) return undefined;
    if (second === '/') {
      this.#depth -= 1;
      this.#handler.close(toLocal(text.slice(start + 2, end).trimEnd()));
    } else {
      this.#openTag(text, start + 1, end);
    }
    return end + 1;
  }

  #openTag(text: string, start: number, end: number): void {
    const isEmpty = text.charCodeAt(end - 1) === SLASH;
    const tag = text.slice(start, isEmpty ? end - 1 : end);
    const blank = tag.search(BLANK);
    const name = toLocal(blank < 0 ? tag : tag.slice(0, blank));
    this.#handler.open(name, blank < 0 ? '' : tag.slice(blank));
    if (isEmpty) this.#handler.close(name);
    else this.#depth += 1;
  }

  #takeOther(text: string, start: number): number | undefined {
    const kind = MARKUP.find(([open]) => text.startsWith(open, start));
    if (kind === undefined) {
      if (text.length - start < '<![CDATA['.length) return undefined;
      throw new XmlError('its XML has a DTD');
    }
    const [open, close] = kind;
    const end = text.indexOf(close, start + open.length);
    if (end < 0) return undefined;
    if (open === '<![CDATA[') {
      this.#handler.text(text.slice(start + open.length, end).replaceAll('&', '&amp;'));
    }
    return end + close.length;
  }
}

/** The position of the `>` of a tag; those in quotes belong to values. */
function findTagEnd(text: string, start: number): number | undefined {
  let quote = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === GREATER) {
      return at;
    } else if (code === QUOTE || code === APOSTROPHE) {
      quote = code;
    }
  }
  return undefined;
}

function toLocal(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** The attributes of a tag by their names, with prefixes. */
export function readAttributes(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = Object.create(null);
  for (const [, name = '', quoted, other] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    found[name] = decodeXml(quoted ?? other ?? '');
  }
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Replaces the entities of a text. Throws an XmlError for an unknown one. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (_, decimal, hex, name) => {
    if (name !== undefined) {
      const found = ENTITIES[name];
      if (found === undefined) throw new XmlError(`its XML has an unknown entity ${name}`);
      return found;
    }
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    if (code > 0x10ffff) throw new XmlError('its XML has an unknown character');
    return String.fromCodePoint(code);
  });
}
