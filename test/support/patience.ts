/**
 * How long a test waits for a condition, in milliseconds. Much longer than anything takes: a failure only because the
 * machine is busy would mean nothing.
 */
export const PATIENCE_MS = 60_000;

/** How long a command may run before it counts as hung, in milliseconds: as long as a test. */
export const COMMAND_MS = 180_000;
/** The same for a command with many statements on a cluster, whose test may take longer. */
export const CLUSTER_COMMAND_MS = 570_000;
