import type { Principal } from '../../workspace/instance/instance.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated principal; set only in scopes that require a token or a session. */
    principal: Principal;
  }
}
