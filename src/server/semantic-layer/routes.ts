import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { addCodegen } from './codegen.ts';
import { addMetadata } from './metadata.ts';
import { addStatements } from './statements.ts';

/** The routes of semantic models (docs/reference/semantic-http.md). */
export function addSemanticRoutes(app: App, instance: Instance): void {
  addMetadata(app, instance);
  addCodegen(app, instance);
  addStatements(app, instance);
}
