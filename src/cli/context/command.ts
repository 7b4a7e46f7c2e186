/** How an option's text is read: `count` is a whole number from 0, `positive` one from 1, `list` may repeat. */
export type OptionReader = 'text' | 'count' | 'positive' | 'list';

export interface CommandOption {
  /** As `-l, --long`, `--limit <rows>` or `--no-header`. */
  readonly flags: string;
  readonly summary: string;
  readonly reader?: OptionReader;
}

/** One built-in command: what help, the documentation and the program know of it. */
export interface Command {
  /** Words after `quern`; its code is in the file of these words. */
  readonly name: string;
  readonly summary: string;
  readonly args: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CommandOption[];
  /** Calls that help shows. */
  readonly examples?: readonly string[];
  /** Whether it runs where its group is called alone. */
  readonly isDefault?: true;
}

/** One value of an option. */
export type OptionValue = string | number | boolean | readonly string[] | undefined;

/** The values of declared options by their names, as `ifMatch` for `--if-match`; switches that are not given are false. */
export type Options<Declared extends readonly CommandOption[]> = {
  readonly [Own in Declared[number] as AttributeOf<Own['flags']>]: ValueOf<Own, Declared[number]['flags']>;
};

type AttributeOf<Flags extends string> = string extends Flags ? string : Camel<WithoutNo<LongName<Flags>>>;

/** `if-match` of `--if-match <revision>`. */
type LongName<Flags extends string> = Flags extends `${string}--${infer Long}`
  ? Long extends `${infer Name} ${string}`
    ? Name
    : Long
  : never;

type WithoutNo<Name extends string> = Name extends `no-${infer Rest}` ? Rest : Name;

type Camel<Name extends string> = Name extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;

type ValueOf<Own extends CommandOption, All extends string> = string extends Own['flags']
  ? OptionValue
  : Own['flags'] extends `${string}<${string}`
    ? Given<Own extends { readonly reader: infer Reader } ? Reader : 'text'>
    : SwitchOf<LongName<Own['flags']>, All>;

type Given<Reader> = Reader extends 'list'
  ? readonly string[]
  : Reader extends 'count' | 'positive'
    ? number | undefined
    : string | undefined;

/** A switch that can be turned on and off may be neither. */
type SwitchOf<Name extends string, All extends string> = Name extends `no-${infer Rest}`
  ? `--${Rest}` extends All
    ? boolean | undefined
    : boolean
  : boolean;
