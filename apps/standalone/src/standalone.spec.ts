import { describe, expect, it } from '@jest/globals';
import { banner } from './standalone.js';
import { cloudEntries } from './cloud-users.js';
import type { Cloud } from './cloud.js';
import type { Secrets } from './secrets.js';

const url = 'http://127.0.0.1:8080';
const cloud: Cloud = {
  url,
  localUrl: url,
  services: [],
  drivers: {},
  stop: () => Promise.resolve(),
};

function said({ demoPassword = 'demo password', isThere = true, isFirst = true }): string {
  const secrets = { adminPassword: 'admin password', demoPassword } as Secrets;
  const entries = cloudEntries(url, secrets, {});
  const seeds = {
    micro: { isThere, line: 'there or not' },
    publicNetwork: { isThere: true, line: 'public' },
  };
  const cloudsYamlPath = '/data/clouds.yaml';
  return banner({ cloud, entries, cloudsYamlPath, seeds, seconds: 1, isFirst });
}

describe('the message of a started cloud', () => {
  it('lists the users with their passwords, and suggests acting as demo', () => {
    expect(said({})).toMatch(
      / demo +demo password .* admin +admin password .* OS_CLOUD=cumulet\n/s,
    );
  });

  it('names the file with the passwords, not the passwords, on later starts', () => {
    const text = said({ isFirst: false });
    expect(text).not.toMatch(/(demo|admin) password/);
    expect(text).toContain('Users (passwords: /data/clouds.yaml)');
  });

  it('lists no demo user if there is none, and suggests acting as the administrator', () => {
    const text = said({ demoPassword: '' });
    expect(text).not.toContain('demo');
    expect(text).toContain('OS_CLOUD=cumulet-admin\n  openstack token issue');
  });

  it.each([true, false])('suggests a micro server if that is available: %p', (isThere) => {
    expect(said({ isThere }).includes('--image micro')).toBe(isThere);
  });
});
