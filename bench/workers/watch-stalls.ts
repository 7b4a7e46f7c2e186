import { monitorEventLoopDelay } from 'node:perf_hooks';

// A module to load before a program with an IPC channel. It responds to each message with the longest time for which the
// program's main thread was blocked since the last message, in milliseconds, and with the most processor time that it used
// without a pause, which does not depend on other work of the machine.
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

/** User and system time of this thread, in milliseconds. */
function readUse(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
