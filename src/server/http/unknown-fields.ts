import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRecord } from '../../invariants/narrow.ts';
import { serverErrors } from './errors.ts';
import { readPreferences } from './prefer.ts';

/** Maximum names in the header. */
const MAX_NAMES = 20;
/** Maximum characters of one of them. */
const MAX_LENGTH = 100;

/** What a schema says about the fields of a value. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/**
 * Names the query parameters and the fields of the body that the operation does not have in `X-Ignored-Fields`; with
 * `Prefer: handling=strict`, throws 400 (docs/reference/http-api.md#unknown-fields).
 */
export async function noteUnknownFields(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { querystring, body } = request.routeOptions.schema ?? {};
  const unknown = [
    ...findUnknown(querystring as Shape | undefined, request.query),
    ...findUnknown(body as Shape | undefined, request.body),
  ];
  const isStrict = request.headers.prefer !== undefined && readPreferences(request).isStrict;
  const [first] = unknown;
  if (isStrict && first !== undefined) throw serverErrors.unknownField(first.name, first.known);
  if (isStrict) reply.header('preference-applied', 'handling=strict');
  if (first === undefined) return;
  const names = new Set(unknown.map(({ name }) => toHeader(name)));
  reply.header('x-ignored-fields', [...names].slice(0, MAX_NAMES).join(', '));
}

interface UnknownField {
  /** The path of the field, such as `connection.nam`. */
  readonly name: string;
  /** The fields that exist there. */
  readonly known: readonly string[];
}

/** Finds the fields of a value that its schema does not have; a schema without fields accepts all. */
function findUnknown(shape: Shape | undefined, value: unknown, path = ''): readonly UnknownField[] {
  if (Array.isArray(value)) {
    const items = shape?.items;
    return items === undefined ? [] : value.flatMap((item) => findUnknown(items, item, path));
  }
  const properties = shape?.properties;
  if (properties === undefined || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (Object.hasOwn(properties, key)) return findUnknown(properties[key], inner, `${path}${key}.`);
    return [{ name: path + key, known: Object.keys(properties).map((name) => path + name) }];
  });
}

/** A name for a header, without separators of its list. */
function toHeader(name: string): string {
  return encodeURI(name.toWellFormed()).replaceAll(',', '%2C').slice(0, MAX_LENGTH);
}
