import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { SettingValues } from '../../settings/read-settings.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The settings of the server, for all routes: `request.server.settings`. */
    readonly settings: SettingValues;
  }
}

/** An app or a scope whose routes are typed by their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
