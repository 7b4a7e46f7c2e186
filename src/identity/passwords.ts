/** Cost of a password hash (identity 1): argon2id, 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The shortest password that is taken (interface 8). */
const SHORTEST = 8;

/** Why a password is refused, or null. */
export function findPasswordFault(password: string): string | null {
  return [...password].length < SHORTEST ? `a password needs at least ${SHORTEST} characters` : null;
}

/** The password's argon2id hash as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(password, COST);
}
