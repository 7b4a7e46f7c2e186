import { createShares } from '../../../workspace/limits/shares.ts';

/** How many bytes of large bodies may be in the server at once, and how many of them one caller may send. */
const MAX_BYTES = 512 * 1024 ** 2;
const MAX_BYTES_OF_CALLER = MAX_BYTES / 2;

/** Bytes that are counted for a body until its answer is over. */
interface BodyClaim {
  /** Counts more of them; false where that would be too many. */
  add(bytes: number): boolean;
  release(): void;
}

/** Counts the bytes of large bodies from their arrival to their answers. */
export interface BodyBudget {
  claim(caller: string): BodyClaim;
}

/** Nothing counted yet. */
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
