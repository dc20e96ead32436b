import { describe, expect, it } from '@jest/globals';
import { loadCliConfig } from './config.js';

describe('the environment of OpenStack clients', () => {
  it('sets the user to act as', () => {
    const env = {
      OS_CLOUD: '',
      OS_AUTH_URL: 'http://host/identity/v3/',
      OS_AUTH_TYPE: 'v3applicationcredential',
      OS_APPLICATION_CREDENTIAL_ID: 'an id',
      OS_APPLICATION_CREDENTIAL_SECRET: 'a secret',
      OS_USERNAME: '',
      OS_REGION_NAME: 'north',
    };
    expect(loadCliConfig(env)).toEqual({
      dataDir: '.cumulet',
      cloud: undefined,
      cloudsFile: undefined,
      authUrl: 'http://host/identity/v3',
      authType: 'v3applicationcredential',
      region: 'north',
      auth: { application_credential_id: 'an id', application_credential_secret: 'a secret' },
    });
  });

  it('has passwords in files', () => {
    expect(() => loadCliConfig({ OS_PASSWORD_FILE: '/missing/password' })).toThrow(
      'OS_PASSWORD_FILE: the file /missing/password cannot be read (ENOENT)',
    );
  });

  it('is refused by name if a URL is invalid', () => {
    expect(() => loadCliConfig({ OS_AUTH_URL: 'host:5000' })).toThrow(
      'OS_AUTH_URL must be an http or https URL; "host:5000" is not',
    );
  });
});
