import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Minimum bytes of a text file for a compressed copy. */
const LEAST_COMPRESSED = 1024;

/** The build of the console into `dist/web`; the server replaces `__NONCE__` with a nonce. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressFiles()],
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licences.md' },
  },
});

/** Writes a compressed copy of each script and style sheet, so that the server does not compress them. */
function compressFiles(): Plugin {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return {
    name: 'compress-files',
    writeBundle: ({ dir }, bundle) => {
      if (dir === undefined) throw new Error('there is no folder to build into');
      for (const name of Object.keys(bundle).filter((each) => /\.(js|css|svg)$/.test(each))) {
        const file = path.join(dir, name);
        const bytes = readFileSync(file);
        if (bytes.length >= LEAST_COMPRESSED)
          writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
      }
    },
  };
}
