import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../../errors/service-error.ts';
import { serverErrors } from '../errors.ts';

/** Bytes of a body that are looked at before others have their turn. */
const TURN_BYTES = 256 * 1024;

/** Looks at a piece of a body; what it returns is why no more is wanted. */
export type LookAt = (piece: Buffer) => ServiceError | null;

/**
 * The pieces of a body, once all have arrived. What comes after a refusal is thrown away. Rejects with a ServiceError
 * for more bytes than the route takes, for other ones than were announced, and for what `lookAt` refuses; and with the
 * error of a connection that ends first.
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
    const refusal = length > limit ? serverErrors.bodyTooLarge(limit) : lookAt(piece);
    if (refusal !== null) {
      leave(() => reject(refusal));
      return;
    }
    pieces.push(piece);
    sinceTurn += piece.length;
    if (sinceTurn < TURN_BYTES) return;
    sinceTurn = 0;
    raw.pause();
    setImmediate(() => raw.resume());
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
