import type { CatalogOverlay } from '../../catalog/script-loader.ts';
import type { PackageLoader, PackagePlace } from '../../engine/project/package-loader.ts';
import { findManifestWarnings } from '../../engine/project/package-loader.ts';
import { listSnapshotSources } from '../../engine/project/snapshot.ts';
import { createWarnings } from '../../engine/run/outcome/warnings.ts';
import { compileFile } from '../../engine/script/compile.ts';
import { describeGraph } from '../../engine/script/graph/describe.ts';
import { namesChanged, parseSelector, selectNodes } from '../../engine/script/graph/select.ts';
import { collectSnapshot } from '../../engine/script/load/collect-snapshot.ts';
import { checkSnapshot, loadLongSelection, loadProgram } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import { checkUsed } from '../../engine/script/params/surplus-params.ts';
import { finish } from '../../engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { InputError } from '../../errors/input-error.ts';
import type { ScriptSettings, ScriptsApi } from '../api/scripts-api.ts';
import { checkDescribedScript } from './check-described.ts';
import { findEnvironment } from './find-environment.ts';
import { findCatalogSelection, findLocalSelection } from './find-target.ts';

/** Runs `work` with a loader that is valid only during the call; an overlay is on top of the catalog. */
export type WithLoader = <T>(work: (loader: PackageLoader) => T, overlay?: CatalogOverlay) => T;

/** The operations on the scripts of one source. */
export function createScripts(withLoader: WithLoader): ScriptsApi {
  const cache = createParseCache();
  return {
    compile(path, input) {
      const { params } = input;
      const { script, snapshot, manifests } = withLoader((loader) => {
        const script = findFile(loader, path);
        checkEnvironment(loader, script.id, input);
        const manifests = findManifestWarnings(loader, [script.id]);
        return { script, snapshot: collectSnapshot(loader, [script], input), manifests };
      });
      const program = loadProgram(snapshot, params, cache);
      const sources = listSnapshotSources(snapshot);
      const { warn, list } = createWarnings([...manifests, ...checkUsed(input, sources)]);
      checkDescribedScript(params, snapshot, script.file);
      const options = {
        dialect: SQL_DIALECT.duckdb,
        lexicalRules: LEXICAL_RULES.duckdb,
        now: Date.now(),
        warn,
      };
      return { steps: compileFile(program, script.file, options), warnings: list() };
    },
    check(paths, input) {
      const { params } = input;
      const { snapshot, manifests } = withLoader((loader) => {
        const ids = new Set(paths.flatMap((path) => findPackages(loader, path)));
        const [first, ...others] = ids;
        if (first === undefined)
          throw new InputError('missing', `there are no scripts in ${paths.join(', ')}`);
        for (const id of ids) checkEnvironment(loader, id, input);
        const needs = [{ id: first }, ...others.map((id) => ({ id }))] as const;
        return {
          snapshot: collectSnapshot(loader, needs, input),
          manifests: findManifestWarnings(loader, [first, ...others]),
        };
      });
      const files = snapshot.packages.reduce((sum, pkg) => sum + pkg.files.length, 0);
      const warnings = checkUsed(input, listSnapshotSources(snapshot));
      const findings = checkSnapshot(snapshot, { params, lexicalRules: LEXICAL_RULES.duckdb }, cache);
      const diagnostics = [...manifests, ...findings];
      return { packages: snapshot.packages.length, files, diagnostics, warnings };
    },
    describe(selectors, input) {
      const { params } = input;
      if (namesChanged([...selectors.include, ...selectors.exclude])) {
        throw new InputError(
          'usage',
          'only a database knows what is `changed`: use it with build, plan or test',
        );
      }
      const { snapshot, selection } = withLoader((loader) => {
        const isInCatalog = selectors.include.some((one) => parseSelector(one).name.startsWith('@'));
        const find = isInCatalog ? findCatalogSelection : findLocalSelection;
        const { findManifest, readSelection } = find(loader, selectors, input, true);
        findEnvironment(findManifest(), input.environment);
        return readSelection();
      });
      const { warn, list } = createWarnings(checkUsed(input, listSnapshotSources(snapshot)));
      const job = { selection, select: selectNodes };
      const { graph, selected, warnings } = finish(loadLongSelection(snapshot, params, cache, job));
      for (const warning of warnings) warn(warning);
      const described = describeGraph(graph, selected, { dialect: SQL_DIALECT.duckdb, now: Date.now() });
      return { ...described, warnings: list() };
    },
  };
}

function checkEnvironment(loader: PackageLoader, id: string, { environment }: ScriptSettings): void {
  findEnvironment(loader.findProject(id)?.manifest ?? null, environment);
}

function findFile(loader: PackageLoader, path: string): PackagePlace & { readonly file: string } {
  const place = loader.findPackage(path);
  if (place === null) throw new InputError('missing', `cannot read ${path}: there is no such file`);
  const { id, file } = place;
  if (file === null) throw new InputError('missing', `${path} is a folder; name one of its scripts`);
  if (loader.findScript(id, file) === null) throw new InputError('missing', `${path} is not a script`);
  return { id, file };
}

function findPackages(loader: PackageLoader, path: string): readonly string[] {
  const place = loader.findPackage(path);
  if (place === null) throw new InputError('missing', `cannot read ${path}: there is no such file or folder`);
  return place.file === null ? loader.listPackages(place.id) : [place.id];
}
