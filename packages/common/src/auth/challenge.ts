import { addressIn, type GuestView } from '../context/shown-addresses.js';

export interface IdentityAddresses {
  readonly identityUrl?: string;
  readonly identityPublicUrl?: string | undefined;
}

/**
 * The URL that a 401 names for getting a token (keystonemiddleware, `WWW-Authenticate`).
 * @param baseUrl of the answering service, used unless another is configured: identity
 * @param view of whoever asks
 */
export function keystoneChallenge(
  { identityUrl, identityPublicUrl }: IdentityAddresses,
  baseUrl: string,
  view?: GuestView,
): string {
  const address = addressIn(view, identityPublicUrl ?? identityUrl ?? baseUrl);
  return `Keystone uri="${address}/v3"`;
}
