/** The token of an `Authorization: Bearer <token>` header (interface 5.1); null for any other header, or none. */
export function parseBearerToken(header: string | undefined): string | null {
  return /^bearer ([!-~]+)$/i.exec(header ?? '')?.[1] ?? null;
}
