// The HTTP interface in one place: the order of hooks is the order in which a request is checked. First its framing
// and address, then its token, then its body. A route gets only requests that passed, and calls one operation.

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import accepts from '@fastify/accepts';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { SettingValues } from '../settings/read-settings.ts';
import type { Instance } from '../workspace/instance/instance.ts';
import { addApi } from './api.ts';
import { createRateLimit } from './auth/rate-limit.ts';
import { createTokenHook } from './auth/require-token.ts';
import { addConsole } from './console/console.ts';
import { addDocumentation } from './documentation/routes.ts';
import { addHealthRoutes } from './health/routes.ts';
import { createServerStatus } from './health/server-status.ts';
import { dropAcceptParameters } from './http/accept.ts';
import { parseBodies } from './http/bodies/parse-bodies.ts';
import { buildSerializers } from './http/build-serializers.ts';
import { checkFraming } from './http/check-framing.ts';
import { answerClientError, answerRaw } from './http/client-error-response.ts';
import { answerContinue } from './http/continue-response.ts';
import { dropUnreadBodies } from './http/drop-unread-bodies.ts';
import { serverErrors } from './http/errors.ts';
import { limitConnections } from './http/limit-connections.ts';
import { createProxies, type IsProxy } from './http/proxies.ts';
import { knowAllMethods, refuseOtherMethods } from './http/refuse-other-methods.ts';
import { dropExtraSlashes, toOriginForm } from './http/request-target.ts';
import type { App } from './http/typed-app.ts';
import { type AnswerNotes, createAnswerNotes } from './log/answer-notes.ts';
import type { LogState } from './log/log.ts';
import { logRequests } from './log/log-requests.ts';
import { addMetricsRoute, createMetrics } from './metrics.ts';
import { addOpenApi } from './openapi/openapi.ts';
import { replyError } from './reply-error.ts';
import { addSamlRoutes } from './saml/routes.ts';

/** Maximum bytes of a body without script content. */
const BODY_LIMIT = 1024 * 1024;
/** Maximum bytes of the headers, including the URL; paths can be long. */
const HEADER_LIMIT = 64 * 1024;
/** Milliseconds between checks for slow requests. */
const LOOK_EVERY_MS = 5_000;

const REQUEST_TIMEOUT_MS = 300_000;

/** Dependencies of an app. */
export interface AppOptions {
  readonly instance: Instance;
  readonly log: FastifyBaseLogger;
  /** Whether the log can be written; absent if the caller writes it. */
  readonly logState?: LogState;
  readonly settings: SettingValues;
  /** Maximum time until a request has arrived completely; defaults to five minutes. */
  readonly requestTimeoutMs?: number;
  /** The version of the product. */
  readonly version: string;
  /** Certificate and key, PEM; null for plain HTTP. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** The folder of the console's built pages; defaults to that of the build. */
  readonly webFolder?: string;
}

/** Assembles the HTTP interface of an instance, without listening. */
export async function createApp(options: AppOptions): Promise<App> {
  const answers = createAnswerNotes();
  const isProxy = createProxies(options.settings.trustProxy);
  const app = createBareApp(options, answers, isProxy);
  app.decorate('settings', options.settings);
  knowAllMethods(app);
  app.setErrorHandler(replyError);
  app.setValidatorCompiler(() => (value) => ({ value }));
  parseBodies(app);
  dropUnreadBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    done();
  });
  const countConnections = limitConnections(app, isProxy);
  const startedAt = new Date();
  app.decorate('startedAt', startedAt);
  app.decorate('readStatus', createServerStatus({ ...options, startedAt, countConnections }));
  dropAcceptParameters(app);
  checkFraming(app);
  answerContinue(app);
  app.addHook('onResponse', (request, reply, done) => {
    answers.note(request, reply);
    done();
  });
  app.addHook('onClose', async () => answers.flush());
  logRequests(app, answers);
  await app.register(accepts);
  const registry = createMetrics(answers, options.instance.executions);
  await addOpenApi(app, options.version);
  const requireToken = createTokenHook(options.instance);
  app.register(async (scope: App) => {
    const refuseOthers = refuseOtherMethods(scope);
    addHealthRoutes(scope, options.instance, options.logState);
    addMetricsRoute(scope, { registry, answers }, requireToken);
    refuseOthers();
  });
  const limitRate = await createRateLimit(app);
  addApi(app, { requireToken, limitRate, instance: options.instance });
  addSamlRoutes(app, options.instance, requireToken);
  addDocumentation(app);
  addConsole(app, options.instance, options.webFolder);
  return app;
}

function createBareApp(
  { log, settings, tls, requestTimeoutMs = REQUEST_TIMEOUT_MS }: AppOptions,
  answers: AnswerNotes,
  isProxy: IsProxy,
): App {
  const server = {
    maxHeaderSize: HEADER_LIMIT,
    // `check-framing.ts` refuses a request without `Host`.
    requireHostHeader: false,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, requestTimeoutMs),
  };
  const options = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: { compilersFactory: { buildSerializer: buildSerializers } },
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    trustProxy: settings.trustProxy.length === 0 ? false : isProxy,
    requestIdHeader: false as const,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: HEADER_LIMIT },
    rewriteUrl: ({ url }: { readonly url?: string | undefined }) =>
      dropExtraSlashes(toOriginForm(url ?? '/')),
    // Requests that are refused before routing run no hooks.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      setCommonHeaders(request, reply);
      reply.raw.once('finish', () => answers.note(request, reply));
      return replyError(error, request, reply);
    },
    clientErrorHandler: (error: Error, socket: Socket) => answerClientError(log, error, socket),
  };
  const app =
    tls === null
      ? fastify({ ...options, http: server })
      : fastify({ ...options, https: { ...server, ...tls } });
  app.server.on('connect', (_request, socket: Socket) =>
    answerRaw(log, serverErrors.connectNotSupported(), socket),
  );
  // A logger for each request costs more than the single line that most requests write.
  app.setChildLoggerFactory((logger) => logger);
  return app.withTypeProvider<TypeBoxTypeProvider>() as unknown as App;
}

/** Sets the headers of every response: the request id, which the log has too, and `nosniff`. */
function setCommonHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', id).header('x-content-type-options', 'nosniff');
}
