/** Namespaces and names of SAML 2.0 that metadata are made of. */
export const METADATA_NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#';
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
export const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
