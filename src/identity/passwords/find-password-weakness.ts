/** Words that passwords of a Quern home are made of before others are. */
const OBVIOUS = ['quern', 'administrator', 'admin', 'password', 'passwort', 'welcome', 'letmein', 'changeme'];
/** Digits and signs after which such a word is still easily guessed. */
const FEW_DIGITS = 8;
/** Shorter names are part of too many words. */
const MIN_NAME_LENGTH = 3;

/**
 * Why a password is easily guessed, or null: it is one of the commonest, has hardly any different characters, or is made
 * of nothing but `names` (those of its user) and other obvious words, with a few digits and signs. Compared without
 * regard to case and compatible forms (identity 1).
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

/** A name, and the parts of an e-mail address. */
function toWords(name: string): string[] {
  const key = toKey(name);
  return [key, ...key.split('@')].filter((word) => [...word].length >= MIN_NAME_LENGTH);
}

function isMadeOf(key: string, names: readonly string[]): boolean {
  const words = [...names, ...OBVIOUS].sort((a, b) => b.length - a.length);
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), key);
  return rest !== key && /^[^\p{L}]*$/u.test(rest) && [...rest].length <= FEW_DIGITS;
}
