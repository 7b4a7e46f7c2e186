import { createShares } from '../../../workspace/limits/shares.ts';

/** Maximum bytes of large bodies in the server at the same time: in total, and of one caller. */
const MAX_BYTES = 512 * 1024 ** 2;
const MAX_BYTES_OF_CALLER = MAX_BYTES / 2;

/** The bytes reserved for a body until its response ends. */
interface BodyClaim {
  /** Reserves more bytes; false if that exceeds the budget. */
  add(bytes: number): boolean;
  release(): void;
}

/** Counts the bytes of large bodies from their arrival to the end of their responses. */
export interface BodyBudget {
  claim(caller: string): BodyClaim;
}

/** Creates an unused budget. */
export function createBodyBudget(): BodyBudget {
  const shares = createShares({ total: MAX_BYTES, each: MAX_BYTES_OF_CALLER });
  return {
    claim(caller) {
      let claimed = 0;
      return {
        add(bytes) {
          const isTaken = shares.take(caller, bytes);
          if (isTaken) claimed += bytes;
          return isTaken;
        },
        release() {
          shares.give(caller, claimed);
          claimed = 0;
        },
      };
    },
  };
}
