/** What a command's exit code says; scripts rely on it. 130 is left to the signal itself. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  script: 3,
  forbidden: 4,
  unreachable: 5,
  bug: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
