import { ServiceError } from '../../errors/service-error.ts';

/** Errors of linked identities and test sign-ins. */
export const signOnErrors = {
  linked: (subject: string, userName: string) =>
    new ServiceError(409, 'identity_linked', `${subject} is already linked to the user ${userName}`, {
      hint: 'delete that user, or link another name',
    }),
  testNotFound: (id: string) =>
    new ServiceError(404, 'test_sign_in_not_found', `Test sign-in not found: ${id}`, {
      hint: 'it may have expired: start another one',
    }),
};
