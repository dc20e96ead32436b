import { describe, expect, it } from '@jest/globals';
import { SettingError } from '@cumulet/common/config/settings';
import { loadStandaloneConfig } from './config.js';

describe('the standalone cloud', () => {
  it.each([
    ['IDENTITY_ADMIN_PASSWORD', 'set CUMULET_ADMIN_PASSWORD in its place'],
    ['CUMULET_SERVICE_PASSWORD', 'secrets.json in the data folder holds it'],
  ])('refuses %s by name', (name, instead) => {
    expect(() => loadStandaloneConfig({ [name]: 'hunter2' })).toThrow(
      new SettingError(`${name} is not a setting of the standalone cloud: ${instead}`),
    );
    expect(() => loadStandaloneConfig({ [`${name}_FILE`]: '/hunter2' })).toThrow(
      new SettingError(`${name}_FILE is not a setting of the standalone cloud: ${instead}`),
    );
    expect(() => loadStandaloneConfig({ [name]: '' })).not.toThrow();
  });

  it('has no external network if its addresses are empty', () => {
    expect(loadStandaloneConfig({ CUMULET_PUBLIC_CIDR: '' }).publicCidr).toBe('');
    expect(loadStandaloneConfig({}).publicCidr).toBe('172.24.4.0/24');
  });

  it('has load balancer addresses on this host, unless they are empty', () => {
    expect(loadStandaloneConfig({}).vipCidr).toBe('127.90.0.0/16');
    expect(loadStandaloneConfig({ CUMULET_VIP_CIDR: '' }).vipCidr).toBe('');
    for (const CUMULET_VIP_CIDR of ['10.0.0.0/8', '127.0.0.1', '120.0.0.0/4'])
      expect(() => loadStandaloneConfig({ CUMULET_VIP_CIDR })).toThrow(
        new SettingError(
          `CUMULET_VIP_CIDR must be CIDR within 127.0.0.0/8; "${CUMULET_VIP_CIDR}" is not`,
        ),
      );
  });

  it.each([undefined, '', 'a password'])('recognises demo passwords: %j', (given) => {
    expect(loadStandaloneConfig({ IDENTITY_DEMO_PASSWORD: given }).demoPassword).toBe(given);
  });
});
