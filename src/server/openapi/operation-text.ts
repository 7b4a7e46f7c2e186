/** What the document says of an operation beside its route's schema. */
export interface OperationText {
  /** A verb and a noun, by which generated clients call it. */
  readonly id: string;
  readonly description: string;
  /** Values of its parameters, by their names. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** A body. */
  readonly body?: unknown;
  /** Whether the request may have none. */
  readonly hasOptionalBody?: true;
}
