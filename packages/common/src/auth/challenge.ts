export interface IdentityAddresses {
  readonly identityUrl?: string;
  readonly identityPublicUrl?: string | undefined;
}

/**
 * What a 401 names as the place to get a token (keystonemiddleware, `WWW-Authenticate`).
 * @param baseUrl of the service that answers, which is the place where no other is set: identity
 */
export function keystoneChallenge(
  { identityUrl, identityPublicUrl }: IdentityAddresses,
  baseUrl: string,
): string {
  return `Keystone uri="${identityPublicUrl ?? identityUrl ?? baseUrl}/v3"`;
}
