declare module 'fastify' {
  /** What a route's schema says about its operation in the OpenAPI document, besides the keys of `@fastify/swagger`. */
  interface FastifySchema {
    /** Example values of parameters, by name, and an example body. They run against a server. */
    readonly example?: Example | undefined;
    /** The least scope of a token that may use the operation, a LeastScope (docs/reference/scopes.md). */
    readonly scope?: string | undefined;
    /** Whether the body can be left out. */
    readonly hasOptionalBody?: boolean | undefined;
    /** The links by the status of the response that they use. */
    readonly links?: Readonly<Record<number, Links>> | undefined;
  }
}

export interface Example {
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** Operations that a response leads to: their parameters, as runtime expressions over the response. */
type Links = Readonly<
  Record<string, { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }>
>;

/** The id in examples. */
export const EXAMPLE_ID = '0195f6a2-0000-7000-8000-000000000000';

/** Links to operations by their ids, all with the same parameters. */
export function linksTo(
  parameters: Readonly<Record<string, string>>,
  ...operationIds: readonly string[]
): Links {
  return Object.fromEntries(operationIds.map((operationId) => [operationId, { operationId, parameters }]));
}

/** A parameter with the value of a field in the body of the response. */
export function inBody(parameter: string, field = parameter): Readonly<Record<string, string>> {
  return { [parameter]: `$response.body#/${field}` };
}

/** The parameters of a change of the item in a response, at the revision of the response. */
export const THIS_REVISION = { ...inBody('path'), 'if-match': '$response.header.etag' };
