/** A result in the format `json` (docs/reference/exec.md#responses). */
interface JsonResult<Row> {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly Row[];
}

/** Collects the bytes of a small result in the format `json`. */
export interface JsonCollector {
  /** Copies the bytes: their memory is used again. */
  write(bytes: Uint8Array): void;
  /** The result of a run that is done; its rows have the type `Row`. */
  read<Row>(): JsonResult<Row>;
}

/** A collector of one result. */
export function createJsonCollector(): JsonCollector {
  const parts: Uint8Array[] = [];
  return {
    write: (bytes) => void parts.push(Buffer.from(bytes)),
    read: () => JSON.parse(Buffer.concat(parts).toString('utf8')).result,
  };
}
