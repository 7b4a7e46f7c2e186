/** An error in what a user wrote or named, in sentences that say what to do; commands print it. */
export class InputError extends Error {
  /** `text`: the text has errors; `usage`: the call does; `missing`: there is no such file, folder or model. */
  readonly kind: 'text' | 'usage' | 'missing';

  constructor(kind: InputError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.kind = kind;
  }
}
