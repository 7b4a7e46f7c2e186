import { parentPort, workerData } from 'node:worker_threads';
import { ATTACKS } from '../attack/attacks.ts';

// An attacker in a thread of its own, so that what it does keeps nobody waiting but the server.
const { attacker, name } = workerData;
const attack = ATTACKS.find((own) => own.name === name)!;
const statuses = await attack.send(attacker);
parentPort!.postMessage(statuses);
