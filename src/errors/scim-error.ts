import { ServiceError } from './service-error.ts';

/** The kinds of failure that RFC 7644, 3.12 names. */
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

/** A refusal of the provisioning interface (interface 4.5; identity 3) that has a kind of its own. */
export class ScimError extends ServiceError {
  readonly scimType: ScimType;

  constructor(status: number, scimType: ScimType, code: string, detail: string) {
    super(status, code, detail);
    this.name = 'ScimError';
    this.scimType = scimType;
  }
}
