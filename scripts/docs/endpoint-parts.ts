import { readFileSync } from 'node:fs';
import path from 'node:path';
import { printTable } from './print-table.ts';

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly 'x-scope'?: string;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const file = path.resolve(import.meta.dirname, '../../docs/openapi.json');
const document: Document = JSON.parse(readFileSync(file, 'utf8'));
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The parts of the pages of endpoints and of scopes, from the OpenAPI document. */
export const ENDPOINT_PARTS: Readonly<Record<string, () => string>> = {
  endpoints: printEndpoints,
  scopes: printScopes,
};

function printEndpoints(): string {
  return document.tags
    .map(({ name, description }) => {
      const heading = `## ${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return [heading, `${description}.`, printTable(['Endpoint', 'Effect'], listEndpoints(name))].join(
        '\n\n',
      );
    })
    .join('\n\n');
}

/** The least scope of each endpoint that needs a token. */
function printScopes(): string {
  const rows = Object.entries(document.paths).flatMap(([target, operations]) =>
    METHODS.flatMap((method) => {
      const scope = operations[method]?.['x-scope'];
      return scope === undefined ? [] : [[`\`${method.toUpperCase()} ${target}\``, `\`${scope}\``]];
    }),
  );
  return printTable(['Endpoint', 'Least scope'], rows);
}

/** Methods and paths of the operations with a tag, and what they do. */
function listEndpoints(tag: string): readonly (readonly string[])[] {
  return Object.entries(document.paths).flatMap(([target, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      if (operation === undefined || !operation.tags.includes(tag)) return [];
      return [[`\`${method.toUpperCase()} ${target}\``, operation.description.replaceAll('\n', ' ')]];
    }),
  );
}
