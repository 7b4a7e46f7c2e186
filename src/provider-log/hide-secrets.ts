/** Stands for what is not stored. */
const HIDDEN = '***';
/** Maximum bytes of a stored body. */
const MAX_BODY = 16 * 1024;
/** Maximum characters of a stored path and query. */
const MAX_TARGET = 2_000;
/** Deeper values are not printed; no resource of SCIM has more than four levels. */
const MAX_DEPTH = 50;

/** The fields by which messages name the attribute of a value next to them. */
const NAMING = ['path', 'name', 'attribute', 'key', 'type', 'field'];
/** The longest name that is compared with these; a body can have many names. */
const MAX_NAMING = 20;
/** The fields that are shown next to the name of a secret. */
const HARMLESS = ['op', 'schemas'];
const PASSWORD = /passw/;
const SECRET = /passw|secret|authorization/;
/** The path of an attribute, with or without its schema. */
const ATTRIBUTE = /^[\w:.-]*$/;

/** Letters of other widths and forms count as plain ones. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** A text to store. */
export interface HiddenText {
  readonly text: string;
  /** Whether a text around a secret was replaced, such as a filter; messages about it may quote it. */
  readonly hidesText: boolean;
}

/** The path and the query of a request; one that names a password is replaced. */
export function hideInTarget(target: string): HiddenText {
  const [path = '', ...rest] = target.slice(0, MAX_TARGET).split('?');
  const parts = rest.length === 0 ? [path] : [path, rest.join('?')];
  const shown = parts.map((part) => (PASSWORD.test(fold(decode(part))) ? HIDDEN : part));
  return { text: shown.join('?'), hidesText: shown.some((part) => part === HIDDEN) };
}

/** Decodes what is encoded, even next to invalid codes, as the reader of queries does. */
function decode(part: string): string {
  return part.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/**
 * Prints a body as JSON, up to 16 KB, with its secrets replaced: fields whose names contain `password`, at any depth and
 * in any case; values next to a `path` that names one; and texts around the word, such as filters. Null for a body
 * that is a single value.
 */
export function printWithoutSecrets(body: unknown): (HiddenText & { readonly isCut: boolean }) | null {
  if (typeof body !== 'object' || body === null) return null;
  const printer = new Printer();
  printer.print(body, 0);
  const bytes = Buffer.from(printer.text);
  const isCut = printer.isCut || bytes.length > MAX_BODY;
  const text = isCut
    ? bytes
        .subarray(0, MAX_BODY)
        .toString()
        .replace(/\ufffd+$/, '')
    : printer.text;
  return { text, isCut, hidesText: printer.hidesText };
}

/** Prints JSON until its limit; the rest of a value is not visited. */
class Printer {
  text = '';
  isCut = false;
  hidesText = false;

  print(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#printText(value, PASSWORD.test(fold(value.slice(0, MAX_BODY))));
    else if (typeof value !== 'object' || value === null) this.text += String(value);
    else if (depth === MAX_DEPTH) this.#printCut();
    else if (Array.isArray(value)) this.#printList(value, depth + 1);
    else this.#printObject(value, depth + 1);
  }

  #printText(text: string, isHidden: boolean): void {
    if (isHidden) this.hidesText = true;
    if (text.length > MAX_BODY) this.isCut = true;
    this.text += JSON.stringify(isHidden ? HIDDEN : text.slice(0, MAX_BODY));
  }

  #printCut(): void {
    this.isCut = true;
    this.text += '"…"';
  }

  #printList(values: readonly unknown[], depth: number): void {
    this.text += '[';
    for (const [index, value] of values.entries()) {
      if (this.#isFull()) return;
      if (index > 0) this.text += ',';
      this.print(value, depth);
    }
    this.text += ']';
  }

  #printObject(fields: object, depth: number): void {
    const namesSecret = Object.entries(fields).some(([key, value]) => namesPassword(key, value));
    this.text += '{';
    let separator = '';
    for (const [key, value] of Object.entries(fields)) {
      if (this.#isFull()) return;
      this.text += separator;
      separator = ',';
      this.#printField(key, value, namesSecret, depth);
    }
    this.text += '}';
  }

  #printField(key: string, value: unknown, namesSecret: boolean, depth: number): void {
    const name = fold(key.slice(0, MAX_BODY));
    this.#printText(key, PASSWORD.test(name) && !ATTRIBUTE.test(key));
    this.text += ':';
    const isName = typeof value === 'string' && namesPassword(key, value) && ATTRIBUTE.test(value);
    if (isName) this.#printText(value, false);
    else if (SECRET.test(name) || (namesSecret && !HARMLESS.includes(name)))
      this.text += JSON.stringify(HIDDEN);
    else this.print(value, depth);
  }

  #isFull(): boolean {
    const isFull = this.text.length > MAX_BODY;
    if (isFull) this.isCut = true;
    return isFull;
  }
}

/** Whether a field names a password as the attribute of the value next to it; a list or an object as path may. */
function namesPassword(key: string, value: unknown): boolean {
  if (key.length > MAX_NAMING || !NAMING.includes(fold(key))) return false;
  if (typeof value === 'string') return PASSWORD.test(fold(value.slice(0, MAX_BODY)));
  return fold(key) === 'path' && value !== null;
}
