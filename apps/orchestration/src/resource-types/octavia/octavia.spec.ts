/** Types of the load balancer service, beyond the tests of `restResource`. */
import { describe, expect, it } from '@jest/globals';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { NotYetError, ResourceInErrorError } from '../resource-type.errors.js';
import type { ResourceType } from '../resource-type.js';
import { changed, Refusal, testScope } from '../resource-scope.fixture.js';
import { balancerFlavor, balancerFlavorProfile, balancerZone } from './flavors.js';
import { l7Policy, l7Rule } from './l7-policy.js';
import { listener, loadBalancer } from './load-balancer.js';
import { pool, poolMember } from './pool.js';
import { balancerQuota } from '../quotas.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const LBAAS = '/v2.0/lbaas';

it('a load balancer is created with IDs in place of names', async () => {
  const answers = { [`POST ${LBAAS}/loadbalancers`]: { loadbalancer: { id: 'lb' } } };
  const properties = { vip_subnet: 's', flavor: 'f', tenant_id: 't' };
  const scope = testScope(loadBalancer, { properties, answers });
  expect(await loadBalancer.create(scope)).toEqual({ physicalId: 'lb' });
  expect(scope.requests[0]?.json).toEqual({
    loadbalancer: {
      name: 'shop-web-k3jd8s2mxq5p',
      vip_subnet_id: 's',
      flavor_id: 'f',
      project_id: 't',
      admin_state_up: true,
      description: '',
    },
  });
});

describe('a part of a load balancer', () => {
  const properties = { pool: 'p', address: '10.0.0.4', protocol_port: 80 };
  const path = `${LBAAS}/pools/p/members`;

  it('waits while the load balancer is changing', async () => {
    const busy = new Refusal(409, 'Load Balancer lb is immutable and cannot be updated.');
    const scope = testScope(poolMember, { properties, answers: { [`POST ${path}`]: busy } });
    await expect(poolMember.create(scope)).rejects.toThrow(NotYetError);
  });

  it('fails if an equal one exists', async () => {
    const twice = new Refusal(409, 'Another member on this pool is already using it');
    const scope = testScope(poolMember, { properties, answers: { [`POST ${path}`]: twice } });
    await expect(poolMember.create(scope)).rejects.toThrow(ServiceRefusedError);
  });

  it.each([
    ['PENDING_CREATE', false],
    ['ACTIVE', true],
  ])('in status %s is complete: %s', async (status, isThere) => {
    const answers = { [`GET ${path}/id-1`]: { member: { provisioning_status: status } } };
    expect(await poolMember.isCreated?.(testScope(poolMember, { properties, answers }))).toBe(
      isThere,
    );
  });

  it('reports why it failed', async () => {
    const shown = { provisioning_status: 'ERROR', provisioning_status_reason: 'No host.' };
    const answers = { [`GET ${path}/id-1`]: { member: shown } };
    const scope = testScope(poolMember, { properties, answers });
    await expect(poolMember.isCreated?.(scope)).rejects.toThrow(
      new ResourceInErrorError('ERROR', 'No host.'),
    );
  });

  it('is gone once it is missing or shown as deleted', async () => {
    expect(await poolMember.isRemoved?.(testScope(poolMember, { properties }))).toBe(true);
    const answers = { [`GET ${path}/id-1`]: { member: { provisioning_status: 'DELETED' } } };
    expect(await poolMember.isRemoved?.(testScope(poolMember, { properties, answers }))).toBe(true);
  });

  it('is updated with changed fields only', async () => {
    const after = { ...properties, weight: 9 };
    const answers = { [`PUT ${path}/id-1`]: {} };
    const [scope, change] = changed(poolMember, properties, { properties: after, answers });
    await poolMember.update?.(scope, change);
    expect(scope.requests[0]?.json).toEqual({ member: { weight: 9 } });
  });
});

it.each<[ResourceType, Properties, string]>([
  [listener, { protocol: 'TERMINATED_HTTPS' }, 'default_tls_container_ref required'],
  [pool, {}, 'must be specified: listener, loadbalancer'],
  [pool, { listener: 'l', session_persistence: { type: 'APP_COOKIE' } }, 'cookie_name is required'],
  [
    pool,
    { listener: 'l', session_persistence: { type: 'SOURCE_IP', cookie_name: 'a' } },
    'must NOT be specified',
  ],
  [l7Policy, { action: 'REJECT', redirect_url: 'u' }, 'redirect_url is not allowed'],
  [l7Policy, { action: 'REDIRECT_TO_POOL' }, 'redirect_pool is required'],
  [l7Policy, { action: 'REDIRECT_TO_URL', redirect_url: 'u', redirect_pool: 'p' }, 'not allowed'],
  [l7Rule, { type: 'HEADER' }, 'key is missing'],
])('refuses contradicting properties: %#', (type, properties, message) => {
  expect(() => type.validate?.(properties)).toThrow(PropertyError);
  expect(() => type.validate?.(properties)).toThrow(message);
});

describe('types for administrators', () => {
  it('create a flavor of a profile, by its ID', async () => {
    const properties = { flavor_profile: 'p', name: 'small', enabled: false };
    const answers = { [`POST ${LBAAS}/flavors`]: { flavor: { id: 'f' } } };
    const scope = testScope(balancerFlavor, { properties, answers });
    expect(await balancerFlavor.create(scope)).toEqual({ physicalId: 'f' });
    expect(scope.requests[0]?.json).toEqual({
      flavor: { name: 'small', description: '', enabled: false, flavor_profile_id: 'p' },
    });
  });

  it('keep a provider that is omitted', async () => {
    const before = { flavor_data: '{}', provider_name: 'haproxy' };
    const properties = { flavor_data: '{"threads": 2}' };
    const answers = { [`PUT ${LBAAS}/flavorprofiles/id-1`]: {} };
    const [scope, change] = changed(balancerFlavorProfile, before, { properties, answers });
    await balancerFlavorProfile.update?.(scope, change);
    expect(scope.requests[0]?.json).toEqual({ flavorprofile: { flavor_data: '{"threads": 2}' } });
  });

  it('create a zone, which is identified by its name', async () => {
    const before = { availability_zone_profile: 'p', name: 'north' };
    const path = `${LBAAS}/availabilityzones`;
    const answers = { [`POST ${path}`]: { availability_zone: { name: 'north' } } };
    const scope = testScope(balancerZone, { properties: before, answers });
    expect(await balancerZone.create(scope)).toEqual({ physicalId: 'north' });
    const [again, change] = changed(balancerZone, before, {
      properties: { ...before, name: 'south' },
    });
    await expect(balancerZone.update?.(again, change)).rejects.toThrow('name cannot be changed');
  });

  it('set the quota of a project', async () => {
    const path = `${LBAAS}/quotas/p`;
    const answers = { [`PUT ${path}`]: {} };
    const properties = { project: 'p', member: 7, pool: -1 };
    const scope = testScope(balancerQuota, { properties, answers });
    await balancerQuota.create(scope);
    expect(scope.requests[0]?.json).toEqual({ quota: { member: 7, pool: -1 } });
    expect(() => balancerQuota.validate?.({ project: 'p' })).toThrow('must be specified');
  });
});
