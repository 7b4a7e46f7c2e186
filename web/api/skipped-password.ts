const KEY = 'quern-password-later';

/** Remembers in this browser that the user wants to choose a password later, in the profile. */
export function skipPassword(): void {
  localStorage.setItem(KEY, 'yes');
}

/** Whether the user wants to choose a password later. */
export function hasSkippedPassword(): boolean {
  return localStorage.getItem(KEY) !== null;
}
