import { ATTACKS } from '../attack/attacks.ts';

// Runs one attack, and prints the statuses of the responses as JSON.
const { attacker, name } = JSON.parse(process.env.ATTACK ?? '{}');
const attack = ATTACKS.find((own) => own.name === name)!;
console.log(JSON.stringify(await attack.send(attacker)));
