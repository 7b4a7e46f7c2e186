/** The parts of an operation in the document that are not in its route's schema. */
export interface OperationText {
  /** A verb and a noun; generated clients use it as the function name. */
  readonly id: string;
  readonly description: string;
  /** Example values of parameters, by name. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** An example body. */
  readonly body?: unknown;
  /** Whether the body is optional. */
  readonly hasOptionalBody?: true;
}

/** The id in examples. */
export const EXAMPLE_ID = '0195f6a2-0000-7000-8000-000000000000';
