import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { readPreferences } from '../../../src/server/http/prefer.ts';

const read = (prefer?: string | readonly string[]) =>
  readPreferences({ headers: { prefer } } as unknown as FastifyRequest);

it.each([
  ['respond-async', true, 0],
  ['Respond-Async, wait=5', true, 5],
  ['wait = "10" ,return=minimal, respond-async', true, 10],
  ['foo="a,b;\\"c", respond-async; why="x, y"', true, 0],
  ['wait=5;x=1, wait=7', false, 5],
  [',,;;=, respond-async', true, 0],
  ['foo="respond-async, wait=5', false, 0],
  ['"respond-async"', false, 0],
  ['x; respond-async', false, 0],
  ['wait=-1, respond-async', true, 0],
  ['wait=1e3', false, 0],
  ['wait=99999999999999999999', false, 0],
  ['', false, 0],
])('%s', (prefer, respondAsync, wait) => {
  expect(read(prefer)).toEqual({ respondAsync, wait, isStrict: false });
});

it('reads several headers as one list, and no header as an empty one', () => {
  expect(read(['wait=3', 'respond-async'])).toEqual({ respondAsync: true, wait: 3, isStrict: false });
  expect(read()).toEqual({ respondAsync: false, wait: 0, isStrict: false });
});

it.each(['"\\'.repeat(30_000), 'a="'.repeat(20_000), '; ;'.repeat(20_000), ',= '.repeat(20_000)])(
  'is read fast at any length (%#)',
  (prefer) => {
    expect(read(`${prefer}`).respondAsync).toBe(false);
  },
);
