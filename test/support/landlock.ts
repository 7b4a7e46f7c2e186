import { findLandlockFault } from '../../src/execution/engine-process/landlock.ts';

const fault = await findLandlockFault({ execute: ['/'], read: [], write: [] });
if (fault !== null) console.log(`tests of a confined engine process are skipped: ${fault}`);

/** Whether the system can confine engine processes. */
export const hasLandlock = fault === null;
