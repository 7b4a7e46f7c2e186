import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Posts one form many times at once, in a separate thread, so that the posting does not count in the measurement.
const { port, path, form, posts } = workerData;

function send(): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    request({ port, host: '127.0.0.1', method: 'POST', path, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    })
      .once('error', reject)
      .end(form);
  });
}

parentPort!.on('message', async () => {
  parentPort!.postMessage(await Promise.all(Array.from({ length: posts }, send)));
});
