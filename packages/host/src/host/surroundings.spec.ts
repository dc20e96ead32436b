import { describe, expect, it } from '@jest/globals';
import { environmentOf, tunnelAddress, tunnelDevice, type Place } from './surroundings.js';

const PLACE: Place = {
  host: 'host2',
  folder: '/hosts/2',
  address: '3f2a1b',
  tunnel: { device: 'eth1', address: '198.18.0.12/24' },
  environment: { PATH: '/usr/sbin', HOME: '/root' },
};

describe('the environment of an agent', () => {
  it('is that of its container, with what follows from the host', () => {
    const sent = {
      PATH: '/bin',
      HOSTNAME: 'agent',
      LD_PRELOAD: '/lib/x.so',
      CUMULET_HOST: 'elsewhere',
      COMPUTE_PORT: '8775',
      COMPUTE_SECRET_KEY_FILE: '/run/secrets/key',
    };
    expect(environmentOf('compute', sent, PLACE)).toEqual({
      PATH: '/usr/sbin',
      HOME: '/root',
      CUMULET_HOST: 'host2',
      COMPUTE_PORT: '8775',
      COMPUTE_DATA_DIR: '/hosts/2/compute',
      COMPUTE_HOST_API_URL: 'http://3f2a1b:8775',
      COMPUTE_SECRET_KEY_FILE: '/run/secrets/key',
    });
  });

  it('tells compute to be reached by HTTPS if it serves that', () => {
    const sent = { CUMULET_TLS_CERTIFICATE: '/run/tls/cert.pem' };
    expect(environmentOf('compute', sent, PLACE)).toMatchObject({
      COMPUTE_HOST_API_URL: 'https://3f2a1b:8774',
    });
  });

  it('has the tunnel of the host for the network alone', () => {
    expect(environmentOf('network', {}, PLACE)).toMatchObject({
      NETWORK_DATA_DIR: '/hosts/2/network',
      NETWORK_TUNNEL_DEVICE: 'eth1',
      NETWORK_TUNNEL_ADDRESS: '198.18.0.12/24',
    });
    expect(environmentOf('loadbalancer', {}, PLACE)).not.toHaveProperty('NETWORK_TUNNEL_DEVICE');
  });
});

describe('tunnels', () => {
  it('have the address of their slot, on the device in their network', () => {
    expect([1, 64].map((slot) => tunnelAddress('198.18.0.0/24', slot))).toEqual([
      '198.18.0.11/24',
      '198.18.0.74/24',
    ]);
    const at = (cidr: string) => [
      { cidr, family: 'IPv4' as const, address: '', netmask: '', mac: '', internal: false },
    ];
    const interfaces = { lo: at('127.0.0.1/8'), eth0: at('172.18.0.3/16') };
    expect(tunnelDevice('198.18.0.0/24', interfaces)).toBeUndefined();
    const more = { ...interfaces, eth1: at('198.18.0.129/24') };
    expect(tunnelDevice('198.18.0.0/24', more)).toBe('eth1');
  });
});
