/** A selector that matches no test. */
export class SelectionError extends Error {}

/** A block that is asked for and not there. */
export class UnknownBlockError extends Error {}

/** Arguments that a block does not take. */
export class BlockArgumentError extends Error {}
