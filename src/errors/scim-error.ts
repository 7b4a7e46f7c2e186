import { ServiceError } from './service-error.ts';

/** The error types of RFC 7644, 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive';

/** An error of the provisioning interface with an error type (docs/reference/scim.md). */
export class ScimError extends ServiceError {
  readonly scimType: ScimType;

  constructor(status: number, scimType: ScimType, code: string, detail: string) {
    super(status, code, detail);
    this.name = 'ScimError';
    this.scimType = scimType;
  }
}
