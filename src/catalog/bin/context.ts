import type { AuditLog } from '../../identity/audit/audit.ts';
import type { CatalogContext } from '../context.ts';

/** The context of the operations on the bin. */
export interface BinContext extends CatalogContext {
  readonly audit: AuditLog;
}
