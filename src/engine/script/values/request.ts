import type { Span } from '../../text/span.ts';
import type { BlockDefinition, LinkedFile, Package } from '../program/program.ts';
import type { Value } from './value.ts';

/** The position of a request in a script. */
export interface CallSite extends Span {
  readonly file: LinkedFile;
}

/** A call of a block with the values of all its parameters. */
export interface BlockCall {
  readonly block: BlockDefinition;
  readonly args: ReadonlyMap<string, Value>;
  readonly site: CallSite;
}

/** A call, and the published object or the given relation that has its rows; null if the block runs. */
export interface BlockRead {
  readonly call: BlockCall;
  readonly target: string | null;
}

/**
 * A request of the rendering to the runner of the script, made after everything before it is rendered. The answer to
 * `call` is the name of a relation with the block's rows (for a void block, the answer is unused). The answer to `rows`
 * is the rows as a list of maps. `publish` and `test` need no answer.
 */
export type Request =
  | (BlockRead & { readonly kind: 'call' | 'rows'; readonly site: CallSite })
  | {
      readonly kind: 'publish';
      readonly packages: readonly Package[];
      readonly blocks: readonly BlockDefinition[];
      readonly fullRefresh: boolean;
      readonly parallel: number;
      readonly site: CallSite;
    }
  | {
      readonly kind: 'test';
      readonly packages: readonly Package[];
      readonly tests: readonly BlockDefinition[];
      readonly onFailure: 'stop' | 'continue';
      readonly site: CallSite;
    };

/** Whether a request of the library has effects that later calls can see. */
export function isEffect({ kind }: Request): boolean {
  return kind === 'publish' || kind === 'test';
}

/** Work that can make requests; it continues with each answer. */
export type Evaluation<T> = Generator<Request, T, Value>;
