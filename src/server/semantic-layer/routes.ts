import type { App } from '../http/typed-app.ts';
import { addCodegen } from './codegen.ts';
import { addMetadata } from './metadata.ts';
import { addStatements } from './statements.ts';

/** The routes of semantic models (docs/reference/semantic-http.md). */
export function addSemanticRoutes(app: App): void {
  addMetadata(app);
  addCodegen(app);
  addStatements(app);
}
