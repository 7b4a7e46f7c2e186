import type { Principal } from '../../identity/principal/principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated principal; set only in scopes that require a token or a session. */
    principal: Principal;
  }
}
