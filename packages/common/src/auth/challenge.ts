export interface IdentityAddresses {
  readonly identityUrl: string;
  readonly identityPublicUrl?: string | undefined;
}

/** What a 401 names as the place to get a token (keystonemiddleware, `WWW-Authenticate`). */
export function keystoneChallenge({ identityUrl, identityPublicUrl }: IdentityAddresses): string {
  return `Keystone uri="${identityPublicUrl ?? identityUrl}/v3"`;
}
