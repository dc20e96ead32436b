/** The network service's requests for AWS's types. */
import { describe, expect, it } from '@jest/globals';
import { calledIn, changed, testScope, type Answers } from '../resource-scope.fixture.js';
import type { ResourceType } from '../resource-type.js';
import { checkDefinition } from '../../template/properties/check-definition.js';
import { StackValidationFailedError } from '../../template/template.errors.js';
import { elasticIp, elasticIpAssociation } from './elastic-ip.js';
import { awsSubnet, networkInterface, vpc } from './vpc.js';
import { awsSecurityGroup } from './security-group.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const NAME = 'shop-web-k3jd8s2mxq5p';
const NETWORK = { network: { id: 'id-1', name: NAME, status: 'ACTIVE' } };
const ROUTERS = { routers: [{ id: 'r', external_gateway_info: null }] };

describe('a VPC', () => {
  it('has a router with the same name', async () => {
    const answers: Answers = {
      'POST /v2.0/networks': { network: { id: 'id-1' } },
      'GET /v2.0/networks/id-1': NETWORK,
      'GET /v2.0/routers': { routers: [] },
      'POST /v2.0/routers': { router: { id: 'r' } },
    };
    const scope = testScope(vpc, { properties: { CidrBlock: '10.0.0.0/16' }, answers });
    expect(await vpc.create(scope)).toEqual({ physicalId: 'id-1' });
    expect(await vpc.isCreated?.(scope)).toBe(true);
    expect(scope.requests.at(0)?.json).toEqual({ network: { name: NAME } });
    expect(scope.requests.at(-1)).toMatchObject({
      key: 'key-router',
      json: { router: { name: NAME } },
    });
    answers['GET /v2.0/routers'] = ROUTERS;
    await vpc.isCreated?.(scope);
    expect(calledIn(scope).filter((one) => one === 'POST /v2.0/routers')).toHaveLength(1);
  });

  it('is deleted with its router', async () => {
    const answers = { 'GET /v2.0/networks/id-1': NETWORK, 'GET /v2.0/routers': ROUTERS };
    const scope = testScope(vpc, { answers });
    await vpc.remove(scope);
    expect(calledIn(scope).slice(-2)).toEqual([
      'DELETE /v2.0/routers/r',
      'DELETE /v2.0/networks/id-1',
    ]);
  });

  it('refuses to choose one of several routers', async () => {
    const routers = [{ id: 'r' }, { id: 's' }];
    const answers = { 'GET /v2.0/networks/id-1': NETWORK, 'GET /v2.0/routers': { routers } };
    await expect(vpc.remove(testScope(vpc, { answers }))).rejects.toThrow('Multiple routers');
  });

  it.each([
    ['join', [], 'PUT /v2.0/routers/r/add_router_interface'],
    ['are left to', [{ id: 'p' }], 'GET /v2.0/ports'],
  ])('has subnets that %s the router', async (_, ports, last) => {
    const answers = {
      'GET /v2.0/networks/v': NETWORK,
      'GET /v2.0/routers': ROUTERS,
      'GET /v2.0/ports': { ports },
      'PUT /v2.0/routers/r/add_router_interface': {},
    };
    const properties = { VpcId: 'v', CidrBlock: '10.0.1.0/24', AvailabilityZone: 'north' };
    const scope = testScope(awsSubnet, { properties, answers });
    expect(await awsSubnet.isCreated?.(scope)).toBe(true);
    expect(calledIn(scope).at(-1)).toBe(last);
  });

  it('detaches its subnets from the router before they are deleted', async () => {
    const answers = {
      'GET /v2.0/networks/v': NETWORK,
      'GET /v2.0/routers': ROUTERS,
      'GET /v2.0/ports': { ports: [{ id: 'p' }] },
      'PUT /v2.0/routers/r/remove_router_interface': {},
      'GET /v2.0/subnets/id-1': { subnet: { id: 'id-1' } },
    };
    const properties = { VpcId: 'v', CidrBlock: '10.0.1.0/24', AvailabilityZone: 'north' };
    const scope = testScope(awsSubnet, { properties, answers });
    await awsSubnet.remove(scope);
    expect(calledIn(scope).slice(-2)).toEqual([
      'PUT /v2.0/routers/r/remove_router_interface',
      'DELETE /v2.0/subnets/id-1',
    ]);
    expect(await awsSubnet.attributesOf?.(scope, ['AvailabilityZone'])).toEqual({
      AvailabilityZone: 'north',
    });
  });
});

describe('a network interface', () => {
  const answers: Answers = {
    'GET /v2.0/subnets/s': { subnet: { network_id: 'n' } },
    'POST /v2.0/ports': { port: { id: 'p' } },
    'PUT /v2.0/ports/id-1': {},
    'GET /v2.0/security-groups': { security_groups: [{ id: 'own' }] },
  };

  it('is a port of the subnet’s network', async () => {
    const properties = { SubnetId: 's', PrivateIpAddress: '10.0.0.9', GroupSet: [] };
    const scope = testScope(networkInterface, { properties, answers });
    expect(await networkInterface.create(scope)).toEqual({ physicalId: 'p' });
    expect(scope.requests.at(-1)?.json).toEqual({
      port: {
        name: NAME,
        admin_state_up: true,
        network_id: 'n',
        fixed_ips: [{ subnet_id: 's', ip_address: '10.0.0.9' }],
        security_groups: [],
      },
    });
  });

  it.each([
    [{ GroupSet: ['h'] }, ['h']],
    [{}, ['own']],
  ])('has groups of %j', async (given, groups) => {
    const [scope, change] = changed(
      networkInterface,
      { SubnetId: 's', GroupSet: ['g'] },
      { properties: { SubnetId: 's', ...given }, answers },
    );
    await networkInterface.update?.(scope, change);
    expect(scope.requests.filter(({ method }) => method === 'PUT')).toMatchObject([
      { json: { port: { security_groups: groups } } },
    ]);
  });
});

describe("a security group in AWS's terms", () => {
  const rule = { IpProtocol: 'tcp', FromPort: '22', ToPort: '22', CidrIp: '10.0.0.0/8' };
  const path = '/v2.0/security-groups';
  const answers: Answers = {
    [`POST ${path}`]: { security_group: { id: 'id-1' } },
    [`GET ${path}/id-1`]: { security_group: { security_group_rules: [] } },
    'POST /v2.0/security-group-rules': {},
  };
  const RULES = 'POST /v2.0/security-group-rules';

  it("is equivalent to the service's", async () => {
    const properties = {
      GroupDescription: 'for all',
      SecurityGroupIngress: [rule, { IpProtocol: '-1', SourceSecurityGroupName: 'g' }],
      SecurityGroupEgress: [{ IpProtocol: 'icmp', FromPort: '-1', ToPort: '-1' }],
    };
    const scope = testScope(awsSecurityGroup, { properties, answers });
    expect(await awsSecurityGroup.create(scope)).toEqual({ physicalId: 'id-1' });
    expect(scope.requests[0]?.json).toEqual({
      security_group: { name: NAME, description: 'for all' },
    });
    await awsSecurityGroup.isCreated?.(scope);
    const base = { ethertype: 'IPv4', security_group_id: 'id-1' };
    expect(scope.requests.at(-1)?.json).toEqual({
      security_group_rules: [
        {
          ...base,
          direction: 'ingress',
          protocol: 'tcp',
          port_range_min: 22,
          port_range_max: 22,
          remote_ip_prefix: '10.0.0.0/8',
        },
        { ...base, direction: 'ingress', remote_group_id: 'g' },
        { ...base, direction: 'egress', protocol: 'icmp' },
      ],
    });
  });

  it('changes its rules', async () => {
    const before = { GroupDescription: 'for all' };
    const properties = { ...before, SecurityGroupIngress: [rule] };
    const [scope, change] = changed(awsSecurityGroup, before, { properties, answers });
    await awsSecurityGroup.update?.(scope, change);
    expect(calledIn(scope)).toEqual([`GET ${path}/id-1`, RULES]);
  });
});

describe('an elastic IP', () => {
  const PORTS = [
    { id: 'p6', network_id: 'n', fixed_ips: [{ ip_address: 'fd00::1' }] },
    { id: 'p', network_id: 'n', fixed_ips: [{ ip_address: '10.0.0.4' }] },
  ];
  const at = '/v2.0/floatingips';
  const answers: Answers = {
    'GET /v2.0/networks': { networks: [{ id: 'out' }] },
    [`POST ${at}`]: { floatingip: { id: 'id-1', floating_ip_address: '192.0.2.9' } },
    [`GET ${at}`]: { floatingips: [{ id: 'f', floating_network_id: 'out' }] },
    [`GET ${at}/f`]: { floatingip: { id: 'f', floating_network_id: 'out', port_id: 'p' } },
    [`PUT ${at}/id-1`]: {},
    [`PUT ${at}/f`]: {},
    'GET /v2.0/ports': { ports: PORTS },
    'GET /v2.0/ports/q': { port: { id: 'q', network_id: 'n' } },
    'GET /v2.0/networks/n': NETWORK,
    'GET /v2.0/routers': ROUTERS,
    'PUT /v2.0/routers/r': {},
  };

  it('uses the only external network, and is referred to by its address', async () => {
    const scope = testScope(elasticIp, { properties: { InstanceId: 'i' }, answers });
    const { physicalId, data = {} } = await elasticIp.create(scope);
    expect(physicalId).toBe('id-1');
    expect(elasticIp.referenceOf?.({ ...scope.row, data })).toBe('192.0.2.9');
    expect(await elasticIp.isCreated?.(scope)).toBe(true);
    expect(scope.requests.at(-1)).toMatchObject({
      path: `${at}/id-1`,
      json: { floatingip: { port_id: 'p', fixed_ip_address: '10.0.0.4' } },
    });
    expect(await elasticIp.attributesOf?.(scope, ['AllocationId'])).toEqual({
      AllocationId: 'id-1',
    });
  });

  it('is disassociated when no instance is named', async () => {
    const [scope, change] = changed(elasticIp, { InstanceId: 'i' }, { answers });
    await elasticIp.update?.(scope, change);
    expect(scope.requests.at(-1)?.json).toEqual({ floatingip: { port_id: null } });
  });

  it.each([
    [{ networks: [] }, 'Expected 1 external network, found 0'],
    [{ networks: [{ id: 'a' }, { id: 'b' }] }, 'Expected 1 external network, found 2'],
  ])('refuses to choose one of several networks: %j', async (found, message) => {
    const scope = testScope(elasticIp, { answers: { 'GET /v2.0/networks': found } });
    await expect(elasticIp.create(scope)).rejects.toThrow(message);
  });

  it.each([
    [
      { EIP: '192.0.2.9', InstanceId: 'i' },
      { port_id: 'p', fixed_ip_address: '10.0.0.4' },
    ],
    [{ AllocationId: 'f', NetworkInterfaceId: 'q' }, { port_id: 'q' }],
  ])("is associated with %j through the network's router", async (properties, leads) => {
    const scope = testScope(elasticIpAssociation, { properties, answers });
    const { data = {} } = await elasticIpAssociation.create(scope);
    expect(data).toEqual({ floatingip_id: 'f', ...leads, reference: NAME });
    expect(elasticIpAssociation.referenceOf?.({ ...scope.row, data })).toBe(NAME);
    const puts = scope.requests.filter(({ method }) => method === 'PUT');
    expect(puts.map(({ json }) => json)).toEqual([
      { router: { external_gateway_info: { network_id: 'out' } } },
      { floatingip: leads },
    ]);
    const later = testScope(elasticIpAssociation, {
      properties,
      data: { ...data, port_id: 'p' },
      answers,
    });
    await elasticIpAssociation.remove(later);
    expect(later.requests.at(-1)?.json).toEqual({ floatingip: { port_id: null } });
  });

  it('is associated with another instance', async () => {
    const before = { AllocationId: 'f', NetworkInterfaceId: 'p' };
    const properties = { AllocationId: 'f', NetworkInterfaceId: 'q' };
    const data = { floatingip_id: 'f', port_id: 'p', reference: NAME };
    const [scope, change] = changed(elasticIpAssociation, before, { properties, data, answers });
    expect(await elasticIpAssociation.update?.(scope, change)).toEqual({
      data: { ...data, port_id: 'q' },
    });
    expect(scope.requests.at(-1)?.json).toEqual({ floatingip: { port_id: 'q' } });
  });
});

it.each<[ResourceType, Properties, string]>([
  [vpc, { InstanceTenancy: 'dedicated' }, '"dedicated" is not an allowed value'],
  [
    networkInterface,
    { SubnetId: 's', SourceDestCheck: true },
    'Property SourceDestCheck is not offered: a port is held to its addresses',
  ],
  [
    awsSecurityGroup,
    { GroupDescription: 'd', SecurityGroupIngress: [{ SourceSecurityGroupOwnerId: 'o' }] },
    'Property SourceSecurityGroupOwnerId is not offered: a group is one that',
  ],
])('refuses unsupported properties by name: %#', (type, properties, message) => {
  const check = () => checkDefinition(type, { kind: 'value', value: properties }, 'p', []);
  expect(check).toThrow(StackValidationFailedError);
  expect(check).toThrow(message);
});

it.each<[ResourceType, Properties, string]>([
  [awsSecurityGroup, { SecurityGroupEgress: [{ FromPort: 'ssh' }] }, 'must be a number, not ssh'],
  [elasticIpAssociation, { InstanceId: 'i' }, "Either 'EIP' or 'AllocationId'"],
  [elasticIpAssociation, { EIP: 'a', NetworkInterfaceId: 'p' }, "Must specify 'InstanceId'"],
  [elasticIpAssociation, { AllocationId: 'f' }, 'InstanceId, NetworkInterfaceId'],
])('refuses missing resources: %#', (type, properties, message) => {
  expect(() => type.validate?.(properties)).toThrow(PropertyError);
  expect(() => type.validate?.(properties)).toThrow(message);
});
