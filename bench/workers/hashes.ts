import { createPasswords } from '../../src/identity/passwords/passwords.ts';
import { readFigures } from '../measure.ts';

// hashes COUNT: hashes COUNT passwords, four at a time, and prints the figures.
const count = Number(process.argv[2]);
const passwords = createPasswords({ atOnce: 4, waiting: count });
await passwords.hash('the first one loads the library');
const [start, cpu] = [performance.now(), process.cpuUsage()];
await Promise.all(Array.from({ length: count }, (_, number) => passwords.hash(`correct horse ${number}`)));
console.log(JSON.stringify(readFigures(start, cpu)));
