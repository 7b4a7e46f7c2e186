import { monitorEventLoopDelay } from 'node:perf_hooks';

// To be loaded before a program that is started with a channel: tells, whenever it is asked, for how long the program's
// own thread did nothing else since it was asked last, at the longest, in milliseconds.
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  process.send?.(delay.max / 1e6);
  delay.reset();
});
