import { describe, expect, it } from '@jest/globals';
import { SettingError } from '@cumulet/common/config/settings';
import { loadStandaloneConfig } from './config.js';

describe('the standalone cloud', () => {
  it.each([
    ['IDENTITY_ADMIN_PASSWORD', 'set CUMULET_ADMIN_PASSWORD in its place'],
    ['CUMULET_SERVICE_PASSWORD', 'secrets.json in the data folder holds it'],
  ])('refuses %s by its name', (name, instead) => {
    expect(() => loadStandaloneConfig({ [name]: 'hunter2' })).toThrow(
      new SettingError(`${name} is not a setting of the standalone cloud: ${instead}`),
    );
    expect(() => loadStandaloneConfig({ [name]: '' })).not.toThrow();
  });

  it('has no external network where its addresses are empty', () => {
    expect(loadStandaloneConfig({ CUMULET_PUBLIC_CIDR: '' }).publicCidr).toBe('');
    expect(loadStandaloneConfig({}).publicCidr).toBe('172.24.4.0/24');
  });

  it.each([undefined, '', 'a password'])('tells demo passwords apart: %j', (given) => {
    expect(loadStandaloneConfig({ IDENTITY_DEMO_PASSWORD: given }).demoPassword).toBe(given);
  });
});
