import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { SamlError } from '../../identity/saml/protocol/checks.ts';
import { createLoginRequest, createLogoutRequest } from '../../identity/saml/protocol/create-request.ts';
import { loadSchemas } from '../../identity/saml/protocol/schemas.ts';
import { verifyLogout } from '../../identity/saml/protocol/verify-logout.ts';
import { verifyResponse } from '../../identity/saml/protocol/verify-response.ts';
import { notNull } from '../../invariants/must.ts';
import { PACKAGE_ROOT } from '../home/package-root.ts';
import type { SamlAnswer, SamlCall, SamlValue } from './saml-calls.ts';

// The program of the thread that reads messages of identity providers and unauthenticated clients
// (docs/reference/saml-sign-in.md#response).

const schemas = loadSchemas(path.join(PACKAGE_ROOT, 'schema/saml'));

notNull(parentPort).on('message', (call: SamlCall) => {
  notNull(parentPort).postMessage(answer(call));
});

function answer(call: SamlCall): SamlAnswer {
  try {
    return { value: compute(call) };
  } catch (error) {
    if (error instanceof SamlError) {
      const { check, detail, user } = error;
      return { failedCheck: { check, detail, user } };
    }
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function compute(call: SamlCall): SamlValue<SamlCall['kind']> {
  switch (call.kind) {
    case 'verify-response':
      return verifyResponse(call.posted, call.expected, { schemas });
    case 'verify-logout':
      return verifyLogout(call.query, call.expected);
    case 'create-login':
      return createLoginRequest(call.sender, call.callbackUrl);
    case 'create-logout':
      return createLogoutRequest(call.sender, call.session);
  }
}
