import { Microversion, type MicroversionRange } from '@cumulet/common/context/microversion';

/**
 * 1.1 brought consumers of secrets, and 1.2 refuses to delete a secret that has any. Public source:
 * Key Manager API, "REST API Version History".
 */
export const SECRETS_VERSIONS: MicroversionRange = {
  service: 'key-manager',
  min: new Microversion(1, 0),
  max: new Microversion(1, 2),
};
