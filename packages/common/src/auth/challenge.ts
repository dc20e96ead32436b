export interface IdentityAddresses {
  readonly identityUrl?: string;
  readonly identityPublicUrl?: string | undefined;
}

/**
 * The URL that a 401 names for getting a token (keystonemiddleware, `WWW-Authenticate`).
 * @param baseUrl of the answering service, used unless another is configured: identity
 */
export function keystoneChallenge(
  { identityUrl, identityPublicUrl }: IdentityAddresses,
  baseUrl: string,
): string {
  return `Keystone uri="${identityPublicUrl ?? identityUrl ?? baseUrl}/v3"`;
}
