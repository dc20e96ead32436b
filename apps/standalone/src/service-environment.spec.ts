import { describe, expect, it } from '@jest/globals';
import { networkService } from '@cumulet/network/service';
import type { Environment } from './config.js';
import { serviceEnvironment } from './service-environment.js';
import { SERVICES } from './services.js';

function told(env: Environment, publicCidr = '172.24.4.0/24'): Environment {
  const options = {
    dataDir: '/data',
    listenHost: '127.0.0.1',
    publicCidr,
    secrets: {
      adminPassword: 'a',
      demoPassword: 'd',
      servicePassword: 's',
      identityKey: 'i',
      computeKey: 'c',
      networkKey: 'n',
      secretsKey: 's',
      s3Key: 'o',
    },
    env,
    databaseUrl: (service: string) => `postgres://${service}`,
  };
  return serviceEnvironment(SERVICES, options, {
    local: 'http://127.0.0.1:8080',
    url: 'https://cloud',
    guests: '127.0.0.1:4000',
  });
}

describe('services in one process', () => {
  it('listen on the same host as the cloud', () => {
    expect(told({})).toMatchObject({
      IDENTITY_LISTEN_HOST: '127.0.0.1',
      IMAGES_LISTEN_HOST: '127.0.0.1',
      COMPUTE_LISTEN_HOST: '127.0.0.1',
    });
  });

  it('send guests only to the listener that identifies them', () => {
    expect(told({ NETWORK_GUEST_PROXY_PROTOCOL: 'false' })).toMatchObject({
      NETWORK_GUEST_INGRESS: '127.0.0.1:4000',
      NETWORK_GUEST_PROXY_PROTOCOL: 'true',
    });
  });

  it.each(['IMAGES_LISTEN_HOST', 'IMAGES_STORE_FOLDER', 'CUMULET_HOST'])(
    'use %s from the environment if it is set',
    (name) => {
      expect(told({ [name]: 'chosen' })[name]).toBe('chosen');
      expect(told({ [name]: undefined })[name]).toBeDefined();
    },
  );

  it('read a secret of their own from its file', () => {
    const given = { S3_UPSTREAM_SECRET_KEY_FILE: '/secret' };
    expect(told(given)).toMatchObject(given);
  });

  it.each(['IDENTITY_DEMO_PASSWORD', 'IDENTITY_SECRET_KEY', 'CUMULET_IDENTITY_URL'])(
    'agree on %s whatever the environment says',
    (name) => {
      expect(told({ [name]: 'chosen', [`${name}_FILE`]: '/chosen' })).toEqual(told({}));
    },
  );

  it('have the gateway of the external network on this host', () => {
    expect(told({}).NETWORK_UPLINK_ADDRESSES).toBe('public=172.24.4.1/24');
  });

  it.each([
    ['there is no external network', '', {}],
    ['it has no floating IPs', '198.18.0.0/31', {}],
    ['its addresses are IPv6', '2001:db8::/64', {}],
    ['there is no such physical network', '172.24.4.0/24', { NETWORK_PHYSICAL_NETWORKS: 'other' }],
    ['a device leads there', '172.24.4.0/24', { NETWORK_PHYSICAL_DEVICES: 'public=eth1' }],
    ['none is requested', '172.24.4.0/24', { NETWORK_UPLINK_ADDRESSES: '' }],
  ])('have no gateway on this host if %s', (_, publicCidr, env) => {
    expect(networkService.load(told(env, publicCidr)).uplinkAddresses).toBeUndefined();
  });

  it('call each other on this host, and give clients the URL of the cloud', () => {
    expect(told({})).toMatchObject({
      CUMULET_IDENTITY_URL: 'http://127.0.0.1:8080/identity',
      CUMULET_SERVICES:
        'images:image:glance=https://cloud/image,network:network:neutron=https://cloud/networking,compute:compute:nova=https://cloud/compute/v2.1,secrets:key-manager:barbican=https://cloud/key-manager,loadbalancer:load-balancer:octavia=https://cloud/load-balancer,orchestration:orchestration:heat=https://cloud/orchestration/v1/%(project_id)s,clusters:container-infra:magnum=https://cloud/container-infra/v1,s3:s3:s3=https://cloud:9000',
      CUMULET_S3_URL: 'http://127.0.0.1:9000',
    });
  });

  it('have the configured URL of a service with its own port', () => {
    const at = (env: Environment) => told(env).S3_PUBLIC_URL;
    expect(at({ S3_PORT: '9001' })).toBe('https://cloud:9001');
    expect(at({ S3_PUBLIC_URL: 'https://s3.cloud' })).toBe('https://s3.cloud');
  });

  it('are reached by simulated guests at the usual URL', () => {
    const at = (env: Environment) => told(env).ORCHESTRATION_GUEST_URL;
    expect(at({})).toBeUndefined();
    expect(at({ NETWORK_DATA_PLANE: 'simulated' })).toBe('https://cloud/orchestration');
    const given = { ORCHESTRATION_GUEST_URL: 'http://10.0.0.1' };
    expect(at({ NETWORK_DATA_PLANE: 'simulated', ...given })).toBe('http://10.0.0.1');
  });
});
