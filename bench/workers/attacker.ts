import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { ATTACKS } from '../attack/attacks.ts';

// A real attacker uses another machine: the time to prepare and send requests must not count for the server.
// Priority 0 is the current thread's on Linux, so neither the server nor the measuring thread is affected.
setPriority(constants.priority.PRIORITY_LOW);
const { attacker, name } = workerData;
const attack = ATTACKS.find((own) => own.name === name)!;
const statuses = await attack.send(attacker);
parentPort!.postMessage(statuses);
