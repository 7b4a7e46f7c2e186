import type { Span } from '../../text/span.ts';
import type { BlockDefinition, LinkedFile, Package } from '../program/program.ts';
import type { Value } from './value.ts';

/** Where in a script something is asked for. */
export interface Site extends Span {
  readonly file: LinkedFile;
}

/** A call of a block with the values of all its parameters. */
export interface BlockCall {
  readonly block: BlockDefinition;
  readonly args: ReadonlyMap<string, Value>;
  readonly site: Site;
}

/**
 * What rendering cannot do itself, and whoever runs the script does, when everything before it has been
 * rendered: `call` wants the name of a relation with the block's rows (or runs a void block, whose text is
 * not used), `rows` the rows themselves as a list of maps; `publish` and `test` want nothing back.
 */
export type Request =
  | { readonly kind: 'call'; readonly call: BlockCall; readonly site: Site }
  /** `target` is the published object to read them from, null for none. */
  | { readonly kind: 'rows'; readonly call: BlockCall; readonly target: string | null; readonly site: Site }
  | {
      readonly kind: 'publish';
      readonly packages: readonly Package[];
      readonly blocks: readonly BlockDefinition[];
      readonly fullRefresh: boolean;
      readonly parallel: number;
      readonly site: Site;
    }
  | {
      readonly kind: 'test';
      readonly packages: readonly Package[];
      readonly tests: readonly BlockDefinition[];
      readonly onFailure: 'stop' | 'continue';
      readonly site: Site;
    };

/** Work that may ask for something on its way; it goes on with the answer. */
export type Evaluation<T> = Generator<Request, T, Value>;
