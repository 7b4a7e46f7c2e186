import { parentPort } from 'node:worker_threads';

// The commands of a test: answer, run endlessly, wait forever, fail, exit, fill the memory, or grow one array.
let calls = 0;
const filled: number[][] = [];

const grown: number[] = [];

const answer = (text: string) => (parentPort === null ? process.send!(text) : parentPort.postMessage(text));

function receive(call: string): void {
  calls += 1;
  while (call === 'loop') calls += 1;
  while (call === 'fill') filled.push(new Array(10_000).fill(Math.random()));
  while (call === 'grow') grown.push(calls);
  if (call === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (call === 'throw') throw new Error('on purpose');
  if (call === 'exit') process.exit(0);
  answer(`${call} ${calls}`);
}

if (parentPort === null) process.on('message', receive);
else parentPort.on('message', receive);
