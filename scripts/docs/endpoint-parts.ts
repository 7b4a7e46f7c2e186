import { readFileSync } from 'node:fs';
import path from 'node:path';
import { printTable } from './print-table.ts';

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const file = path.resolve(import.meta.dirname, '../../docs/openapi.json');
const document: Document = JSON.parse(readFileSync(file, 'utf8'));
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The part of the page of endpoints: a table for each tag of the OpenAPI document. */
export const ENDPOINT_PARTS: Readonly<Record<string, () => string>> = { endpoints: printEndpoints };

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
