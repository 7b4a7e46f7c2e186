import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../../errors/service-error.ts';
import { takeTurn } from '../../../turns/take-turn.ts';
import { serverErrors } from '../errors.ts';

/** Bytes of a body that are scanned before other requests get a turn. */
const TURN_BYTES = 256 * 1024;

/** Takes a chunk of a body; returns an error to refuse the body. */
type TakePiece = (piece: Buffer) => ServiceError | null;

/** Receives a small body, as `receiveBody` does. */
export async function receiveSmallBody(request: FastifyRequest): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await receiveBody(request, (piece) => {
    pieces.push(piece);
    return null;
  });
  return Buffer.concat(pieces);
}

/**
 * Passes all chunks of a body to `takePiece`. Discards the rest after an error. Rejects with a ServiceError for more
 * bytes than the route allows, for a wrong Content-Length, and for a body that `takePiece` refuses; and with the
 * connection's error if it ends first.
 */
export function receiveBody(request: FastifyRequest, takePiece: TakePiece): Promise<void> {
  const { raw, routeOptions } = request;
  const limit = routeOptions.bodyLimit;
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limit) return Promise.reject(serverErrors.bodyTooLarge(limit));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let length = 0;
  let sinceTurn = 0;

  function take(piece: Buffer): void {
    // A chunk that was taken may have no bytes any more.
    const size = piece.length;
    length += size;
    const error = length > limit ? serverErrors.bodyTooLarge(limit) : takePiece(piece);
    if (error !== null) {
      leave(() => reject(error));
      return;
    }
    sinceTurn += size;
    if (sinceTurn < TURN_BYTES) return;
    sinceTurn = 0;
    raw.pause();
    void takeTurn().then(() => raw.resume());
  }

  function finish(): void {
    const isOther = !Number.isNaN(announced) && announced !== length;
    leave(() => (isOther ? reject(serverErrors.malformedRequest()) : resolve()));
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
