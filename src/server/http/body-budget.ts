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
  const byCaller = new Map<string, number>();
  let total = 0;

  function count(caller: string, bytes: number): void {
    const own = (byCaller.get(caller) ?? 0) + bytes;
    total += bytes;
    if (own === 0) byCaller.delete(caller);
    else byCaller.set(caller, own);
  }

  return {
    claim(caller) {
      let claimed = 0;
      return {
        add(bytes) {
          const own = (byCaller.get(caller) ?? 0) + bytes;
          if (own > MAX_BYTES_OF_CALLER || total + bytes > MAX_BYTES) return false;
          claimed += bytes;
          count(caller, bytes);
          return true;
        },
        release() {
          count(caller, -claimed);
          claimed = 0;
        },
      };
    },
  };
}
