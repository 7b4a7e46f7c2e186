import type { FastifyInstance } from 'fastify';
import { type AnswerNotes, toRequestNote } from './answer-notes.ts';

/** Writes one log line for each response, and for each client that disconnected before it. */
export function logRequests(app: FastifyInstance, answers: AnswerNotes): void {
  answers.each(({ endedAt, ms, route: _route, ...note }) => {
    const time = new Date(endedAt).toISOString();
    app.log.info({ time, ...note, ms: Math.round(ms * 100) / 100 }, 'answered');
  });
  app.addHook('onRequestAbort', (request, done) => {
    answers.flush();
    request.log.info(toRequestNote(request), 'the client disconnected');
    done();
  });
}
