/** Messages of the server, by type character. */
export const MESSAGE = {
  parseComplete: 0x31,
  bindComplete: 0x32,
  closeComplete: 0x33,
  notification: 0x41,
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  copyIn: 0x47,
  copyOut: 0x48,
  emptyQuery: 0x49,
  notice: 0x4e,
  parameterStatus: 0x53,
  rowDescription: 0x54,
  copyBoth: 0x57,
  readyForQuery: 0x5a,
  copyDone: 0x63,
  copyData: 0x64,
  noData: 0x6e,
  suspended: 0x73,
} as const;

/** A column as the server describes it. */
export interface FieldDescription {
  readonly name: string;
  /** The object id of its type. */
  readonly type: number;
  /** Details of the type, such as its length; -1 for none. */
  readonly modifier: number;
}

/** Reads the body of a RowDescription. */
export function readRowDescription(body: Buffer): readonly FieldDescription[] {
  let at = 2;
  return Array.from({ length: body.readInt16BE(0) }, () => {
    const end = body.indexOf(0, at);
    const name = body.toString('utf8', at, end);
    const type = body.readUInt32BE(end + 7);
    const modifier = body.readInt32BE(end + 13);
    at = end + 19;
    return { name, type, modifier };
  });
}

/** Reads the body of a ParameterStatus: a setting and its current value. */
export function readSetting(body: Buffer): readonly [name: string, value: string] {
  const [name = '', value = ''] = body.toString('utf8').split('\0');
  return [name, value];
}

/** The content of an ErrorResponse. */
export interface ErrorResponse {
  /** The SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly detail: string | null;
  readonly hint: string | null;
  /** The position in the statement, in characters from 1; null if unknown. */
  readonly position: number | null;
}

/** Reads the body of an ErrorResponse. */
export function readErrorResponse(body: Buffer): ErrorResponse {
  const fields = new Map<string, string>();
  for (let at = 0; body[at] !== 0 && at < body.length; ) {
    const end = body.indexOf(0, at + 1);
    fields.set(String.fromCharCode(body[at]!), body.toString('utf8', at + 1, end));
    at = end + 1;
  }
  const position = fields.get('P');
  return {
    code: fields.get('C') ?? '',
    message: fields.get('M') ?? 'unknown error',
    detail: fields.get('D') ?? null,
    hint: fields.get('H') ?? null,
    position: position === undefined ? null : Number(position),
  };
}

/** The numbers of rows that a command has changed, and stored in a table that it has created; null if it reports none. */
export interface CountedRows {
  readonly changed: number;
  readonly stored: number | null;
}

/** Reads the tag of a command: `INSERT 0 5`, `UPDATE 3`; `SELECT 5` for CREATE TABLE AS. */
export function readTag(body: Buffer): CountedRows {
  const tag = body.toString('latin1', 0, body.length - 1);
  const [, changed = 0] = /^(?:INSERT|UPDATE|DELETE|MERGE|COPY)\b.* (\d+)$/.exec(tag) ?? [];
  const [, stored = null] = /^SELECT (\d+)$/.exec(tag) ?? [];
  return { changed: Number(changed), stored: stored === null ? null : Number(stored) };
}
