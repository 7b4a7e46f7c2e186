import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Minimum bytes of a text file for a compressed copy. */
const LEAST_COMPRESSED = 1024;

/**
 * Modules of Observable Plot and D3 that charts never call, and what the build contains instead: maps, legends, curves,
 * diverging scales, and colour schemes, for which charts have their own. They would be a quarter of the script that draws charts.
 */
const UNUSED: Readonly<Record<string, string>> = {
  'd3-geo/dist/d3-geo.mjs': `
    const fail = () => { throw new Error('this build draws no maps'); };
    export { fail as geoCentroid, fail as geoGraticule10, fail as geoPath };
  `,
  '@observablehq/plot/src/curve.js': `
    import { curveLinear } from 'd3';
    export const curveAuto = (context) => curveLinear(context);
    const expect = (curve) => (type) => {
      if (type === undefined) return curve;
      throw new Error('this build draws only straight lines');
    };
    export const maybeCurve = expect(curveLinear);
    export const maybeCurveAuto = expect(curveAuto);
  `,
  '@observablehq/plot/src/legends.js': `
    export const createLegends = () => [];
    export const exposeLegends = () => () => undefined;
    export const legend = () => { throw new Error('this build draws no legends'); };
  `,
  '@observablehq/plot/src/projection.js': `
    export const createProjection = () => undefined;
    export const projectionAspectRatio = () => undefined;
    export const hasProjection = () => false;
    const fail = () => { throw new Error('this build draws no maps'); };
    export { fail as project, fail as applyPosition, fail as getGeometryChannels, fail as xyProjection };
  `,
  '@observablehq/plot/src/scales/diverging.js': `
    const fail = () => { throw new Error('this build has no diverging scales'); };
    export { fail as createScaleDiverging, fail as createScaleDivergingSqrt, fail as createScaleDivergingPow };
    export { fail as createScaleDivergingLog, fail as createScaleDivergingSymlog };
  `,
  '@observablehq/plot/src/scales/schemes.js': `
    export const isCategoricalScheme = () => false;
    export const isDivergingScheme = () => false;
    const fail = () => { throw new Error('this build has no colour schemes'); };
    export { fail as ordinalScheme, fail as ordinalRange, fail as maybeBooleanRange, fail as quantitativeScheme };
  `,
};

/** What the first page and several others need; not what the editor, results, charts or the administration need. */
const COMMON =
  /web\/(?:api\/(?!administration)|components\/(?!editor|results|chart|administration|run-text|form\/|keys|profile|user-picker|group-picker))/;

/** The build of the console into `dist/web`; the server replaces `__NONCE__` with a nonce. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), leaveOut(), compressFiles()],
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
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One file of the components that pages share: as many small files, each with the headers of its response, they would
          // be a tenth more to load.
          groups: [
            { name: 'parts', test: /node_modules\/@(?:mantine|floating-ui)\//, minShareCount: 2 },
            { name: 'common', test: COMMON, minShareCount: 2 },
          ],
        },
      },
    },
  },
});

/** Builds with less of Observable Plot and D3. The build fails when a new version has no such module. */
function leaveOut(): Plugin {
  const root = path.resolve(import.meta.dirname, '../node_modules');
  const replacedModules = new Set<string>();
  return {
    name: 'leave-out',
    enforce: 'pre',
    load: (id) => {
      const name = path.relative(root, id);
      const code = UNUSED[name];
      if (code !== undefined) replacedModules.add(name);
      return code;
    },
    buildEnd: (error) => {
      const missing = Object.keys(UNUSED).filter((name) => !replacedModules.has(name));
      if (error === undefined && missing.length > 0) throw new Error(`the packages have no ${missing[0]}`);
    },
  };
}

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
