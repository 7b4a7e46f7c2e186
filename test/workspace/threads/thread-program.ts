import { parentPort } from 'node:worker_threads';

// The commands of a test: answer, run endlessly, wait forever, fail, exit, or fill the memory.
let calls = 0;
const filled: number[][] = [];

parentPort!.on('message', (call: string) => {
  calls += 1;
  while (call === 'loop') calls += 1;
  while (call === 'fill') filled.push(new Array(10_000).fill(Math.random()));
  if (call === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (call === 'throw') throw new Error('on purpose');
  if (call === 'exit') process.exit(0);
  parentPort!.postMessage(`${call} ${calls}`);
});
