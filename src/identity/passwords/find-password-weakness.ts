/** Words that are obvious choices for a password of Quern. */
const OBVIOUS = ['quern', 'administrator', 'admin', 'password', 'passwort', 'welcome', 'letmein', 'changeme'];
/** Digits and signs after which such a word is still easily guessed. */
const FEW_DIGITS = 8;
/** Shorter names occur in too many words. */
const MIN_NAME_LENGTH = 3;

/**
 * Explains why a password is easily guessed, or returns null. A weak password is a common one, has one or two different
 * characters, or consists of `names` (those of its user) and other obvious words, with a few digits and signs. Ignores
 * case and compatibility forms (docs/reference/passwords.md#easily-guessed-passwords).
 */
export async function findPasswordWeakness(
  password: string,
  names: readonly string[],
): Promise<string | null> {
  const key = toKey(password);
  if (new Set(key).size <= 2) return 'it has hardly any different characters';
  if (isMadeOf(key, names.flatMap(toWords))) return 'it is made of names and obvious words';
  const { COMMON_PASSWORDS } = await import('./common-passwords.ts');
  const isCommon = !key.includes(' ') && ` ${COMMON_PASSWORDS} `.includes(` ${key} `);
  return isCommon ? 'it is one of the commonest passwords' : null;
}

function toKey(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Splits a name or an e-mail address into its parts. */
function toWords(name: string): string[] {
  const key = toKey(name);
  return [key, ...key.split('@')].filter((word) => [...word].length >= MIN_NAME_LENGTH);
}

function isMadeOf(key: string, names: readonly string[]): boolean {
  const words = [...names, ...OBVIOUS].sort((a, b) => b.length - a.length);
  const remainder = words.reduce((text, word) => text.replaceAll(word, ''), key);
  return remainder !== key && /^[^\p{L}]*$/u.test(remainder) && [...remainder].length <= FEW_DIGITS;
}
