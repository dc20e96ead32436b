/** The environment variables that log a client in without a clouds.yaml. */

/** @param proof the credentials, such as `OS_TOKEN` and `OS_AUTH_TYPE` */
export function loginVariables(
  cloudUrl: string,
  proof: Readonly<Record<string, string>>,
): Record<string, string> {
  return { OS_AUTH_URL: `${cloudUrl}/identity/v3`, OS_IDENTITY_API_VERSION: '3', ...proof };
}

/** For a user and optionally a project, by name, in the domain default. */
export function passwordVariables(
  cloudUrl: string,
  [name, password]: readonly [string, string],
  scope: Readonly<Record<string, string>>,
): Record<string, string> {
  return loginVariables(cloudUrl, {
    OS_USERNAME: name,
    OS_PASSWORD: password,
    OS_USER_DOMAIN_ID: 'default',
    OS_PROJECT_DOMAIN_ID: 'default',
    ...scope,
  });
}
