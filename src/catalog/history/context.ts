import type { AuditLog } from '../../identity/audit/audit.ts';
import type { CatalogContext } from '../context.ts';

/** The context of the operations on histories. */
export interface HistoryContext extends CatalogContext {
  readonly audit: AuditLog;
}
