/** The exit codes of commands; scripts rely on them. The signal itself causes 130. */
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
