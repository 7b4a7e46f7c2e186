import { monitorEventLoopDelay } from 'node:perf_hooks';

// To be loaded before a program that is started with a channel: tells, whenever it is asked, for how long the program's
// own thread did nothing else since it was asked last, at the longest, in milliseconds; and how much processor time it
// took at once, which does not depend on what else the machine is doing.
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let last = readUse();
let most = 0;
setInterval(() => {
  const now = readUse();
  most = Math.max(most, now - last);
  last = now;
}, 1).unref();
process.on('message', () => {
  process.send?.({ stall: delay.max / 1e6, turn: most });
  delay.reset();
  most = 0;
});

/** Of this thread, by itself and in the system, in milliseconds. */
function readUse(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
