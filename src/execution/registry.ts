/** One execution that runs now, as `ps` shows it. */
interface RunningExecution {
  readonly id: string;
  /** Id of the user for whom it runs. */
  readonly owner: string;
  readonly connection: string;
  /** The script's path, or `sql`. */
  readonly name: string;
  readonly startedAt: string;
}

/** The one list of what runs; whoever wants to stop something asks here. */
export interface ExecutionRegistry {
  /** Enters an execution; the returned function takes it off the list. */
  add(execution: RunningExecution, cancel: () => void): () => void;
  list(): readonly RunningExecution[];
  /** Cancels every execution that matches, and says how many there were. */
  cancelWhere(matches: (execution: RunningExecution) => boolean): number;
}

export function createRegistry(): ExecutionRegistry {
  const running = new Map<RunningExecution, () => void>();
  return {
    add(execution, cancel) {
      running.set(execution, cancel);
      return () => running.delete(execution);
    },
    list: () => [...running.keys()],
    cancelWhere(matches) {
      const found = [...running].filter(([execution]) => matches(execution));
      for (const [, cancel] of found) cancel();
      return found.length;
    },
  };
}
