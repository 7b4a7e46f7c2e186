// Bundles the programs in src/ into dist/.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createChunkNames, programs } from './chunks.js';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');

/** The import of one of Node's modules, as rolldown prints it: its default, names, or both. */
const NODE_IMPORT = /^import ([\w$]+)?(?:, )?(\{[^}]*\})? from "(node:[^"]+)";$/gm;

/**
 * Writes one module for each program, and shared modules. Packages that are only development dependencies are bundled;
 * `licences.md` has their licences.
 */
export async function bundle() {
  const { build } = await import('rolldown');
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { output } = await build({
    input: programs,
    platform: 'node',
    external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
    transform: { target: 'node22' },
    tsconfig: false,
    plugins: [{ name: 'node-modules', renderChunk: readNodeModules }],
    preserveEntrySignatures: 'allow-extension',
    output: {
      dir: dist,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      comments: false,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: createChunkNames(), debugName: 'parts of commands' }],
      },
    },
  });
  const files = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  writeFileSync(path.join(dist, 'licences.md'), printLicences(files));
}

/**
 * Replaces the imports of Node's modules. Such an import reads each property of the module, which loads many more of
 * Node's modules: streams for `node:fs`, WebCrypto for `node:crypto`.
 */
function readNodeModules(code) {
  return code.replace(NODE_IMPORT, (_, whole, names, module) => {
    const given = [whole, names?.replaceAll(' as ', ': ')].filter((name) => name !== undefined);
    return given
      .map((name) => `const ${name} = globalThis.process.getBuiltinModule("${module}");`)
      .join('\n');
  });
}

function printLicences(files) {
  const folders = new Set(
    files.flatMap((file) => file.match(/^.*\/node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `## ${name} ${version} (${license})\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  return ['# Licences of the packages in these files\n', ...texts].join('\n');
}
