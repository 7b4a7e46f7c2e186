/** Warnings about lost entries of the log of identity providers; `reason` is the message of a HomeError. */
export const providerLogErrors = {
  notWritten: (reason: string) =>
    `the log of identity providers cannot be written; entries are lost: ${reason}`,
  writtenAgain: (lost: number) => `the log of identity providers can be written again; lost entries: ${lost}`,
};
