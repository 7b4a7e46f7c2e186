import { ServiceError } from '../../errors/service-error.ts';

/** Errors of the SAML endpoints (docs/reference/saml.md#endpoints). */
export const samlRouteErrors = {
  notAResponse: (count: number) =>
    new ServiceError(
      400,
      'saml_response_required',
      `The form must have the field SAMLResponse once, and has it ${count} times`,
    ),
  logoutNotSupported: () =>
    new ServiceError(
      400,
      'saml_logout_not_supported',
      'Signing out at the identity provider does not sign out here: sign out in Quern',
    ),
};
