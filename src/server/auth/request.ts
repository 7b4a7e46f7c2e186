import type { InstanceApi, Principal } from '../../workspace/instance/instance.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who acts; set in scopes that require a token or a session, and only there. */
    principal: Principal;
    /** What the principal may do. */
    api: InstanceApi;
  }
}
