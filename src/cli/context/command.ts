/** How the value of an option is parsed: `count` is a whole number from 0, `positive` from 1; `list` is repeatable. */
export type OptionReader = 'text' | 'count' | 'positive' | 'list';

export interface CommandOption {
  /** For example `-l, --long`, `--limit <rows>`, `--store-failures [schema]` or `--no-header`. */
  readonly flags: string;
  readonly summary: string;
  readonly reader?: OptionReader;
}

/** One built-in command, as help, documentation and program use it. */
export interface Command {
  /** Words after `quern`; also the name of the file with its code. */
  readonly name: string;
  /** Other spellings of the last word, which help does not list. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly args: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CommandOption[];
  /** Examples in help; a test runs each of them. */
  readonly examples: readonly string[];
  /** Set if it runs when only its group is given: the values of its argument that may follow the group directly. */
  readonly defaultFor?: readonly string[];
}

/** The value of an option. */
export type OptionValue = string | number | boolean | readonly string[] | undefined;

/** The values of declared options by name (`ifMatch` for `--if-match`); an absent switch is false. */
export type OptionValues<Declared extends readonly CommandOption[]> = {
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
    : Own['flags'] extends `${string}[${string}`
      ? string | boolean
      : SwitchOf<LongName<Own['flags']>, All>;

type Given<Reader> = Reader extends 'list'
  ? readonly string[]
  : Reader extends 'count' | 'positive'
    ? number | undefined
    : string | undefined;

/** A switch with an opposite (`--header`, `--no-header`) is undefined when neither is given. */
type SwitchOf<Name extends string, All extends string> = Name extends `no-${infer Rest}`
  ? `--${Rest}` extends All
    ? boolean | undefined
    : boolean
  : boolean;
