import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../../errors/service-error.ts';
import { takeTurn } from '../../../turns/take-turn.ts';
import { serverErrors } from '../errors.ts';

/** Bytes of a body that are scanned before other requests get a turn. */
const TURN_BYTES = 256 * 1024;

/** Scans a chunk of a body; returns an error to refuse the body. */
export type LookAt = (piece: Buffer) => ServiceError | null;

/**
 * Receives all chunks of a body. Discards the rest after an error. Rejects with a ServiceError for more bytes than the
 * route allows, for a wrong Content-Length, and for a body that `lookAt` refuses; and with the connection's error if it
 * ends first.
 */
export function receiveBody(request: FastifyRequest, lookAt: LookAt): Promise<readonly Buffer[]> {
  const { raw, routeOptions } = request;
  const limit = routeOptions.bodyLimit;
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limit) return Promise.reject(serverErrors.bodyTooLarge(limit));
  const { promise, resolve, reject } = Promise.withResolvers<readonly Buffer[]>();
  const pieces: Buffer[] = [];
  let length = 0;
  let sinceTurn = 0;

  function take(piece: Buffer): void {
    length += piece.length;
    const error = length > limit ? serverErrors.bodyTooLarge(limit) : lookAt(piece);
    if (error !== null) {
      leave(() => reject(error));
      return;
    }
    pieces.push(piece);
    sinceTurn += piece.length;
    if (sinceTurn < TURN_BYTES) return;
    sinceTurn = 0;
    raw.pause();
    void takeTurn().then(() => raw.resume());
  }

  function finish(): void {
    const isOther = !Number.isNaN(announced) && announced !== length;
    leave(() => (isOther ? reject(serverErrors.malformedRequest()) : resolve(pieces)));
  }

  const fail = (error?: Error) => leave(() => reject(error ?? serverErrors.malformedRequest()));

  function leave(settle: () => void): void {
    raw.off('data', take).off('end', finish).off('error', fail).off('close', fail);
    raw.resume();
    settle();
  }

  raw.on('data', take).on('end', finish).on('error', fail).on('close', fail);
  return promise;
}
