/** The tests that every service passes. */
import { describe } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { testService } from '@cumulet/testing/test-service';
import { AgentsSweep } from './agents/agents.sweep.js';
import { RESOURCES, startNetwork, type NetworkFixture } from './network.fixture.js';
import { networkService } from './service.js';

/** The fields without which a resource is not created. */
const REQUIRED: Readonly<
  Record<string, (network: NetworkFixture, token: string) => object | Promise<object>>
> = {
  address_scope: () => ({ ip_version: 4 }),
  floatingip: async (network) => {
    const { id: network_id } = await network.create(
      'networks',
      { 'router:external': true },
      network.admin,
    );
    const subnet = { network_id, ip_version: 4, cidr: '203.0.113.0/24' };
    await network.create('subnets', subnet, network.admin);
    return { floating_network_id: network_id };
  },
  port: async (network, token) => {
    const { id } = await network.create('networks', {}, token);
    return { network_id: id };
  },
  rbac_policy: async (network, token) => {
    const { id: object_id } = await network.create('networks', {}, token);
    const target = { action: 'access_as_shared', target_tenant: newId() };
    return { object_type: 'network', object_id, ...target };
  },
  security_group_rule: async (network, token) => {
    const { id } = await network.create('security_groups', {}, token);
    return { security_group_id: id, direction: 'ingress' };
  },
  subnet: async (network, token) => {
    const { id: network_id } = await network.create('networks', {}, token);
    return { network_id, ip_version: 4, cidr: '10.0.0.0/24' };
  },
  subnetpool: () => ({ name: 'one', prefixes: ['10.0.0.0/8'] }),
  trunk: async (network, token) => {
    const { id: network_id } = await network.create('networks', {}, token);
    const { id: port_id } = await network.create('ports', { network_id }, token);
    return { port_id };
  },
};

/** Public; of quotas and of rules of QoS policies, other specs. */
const WITHOUT_EXAMPLE = [
  'default_security_group_rule_id',
  'project_id',
  'rule_id',
  'security_groups_default_statefulness_id',
];

/** Creates each resource by its own route; administrators create QoS policies. */
const examples = RESOURCES.map(([path, { singular }]) => {
  const create = async (network: NetworkFixture, member: string): Promise<string> => {
    const fields = (await REQUIRED[singular]?.(network, member)) ?? {};
    const token = singular === 'policy' ? network.admin : member;
    const answer = await network.client.post(`/v2.0/${path}`, {
      token,
      body: { [singular]: fields },
    });
    if (answer.status !== 201) throw new Error(`no example of ${singular}: ${answer.text}`);
    return (answer.body as Record<string, { id: string }>)[singular]?.id ?? '';
  };
  return [`${singular}_id`, create] as const;
}).filter(([parameter]) => !WITHOUT_EXAMPLE.includes(parameter));

describe('the network service', () => {
  testService(networkService, {
    start: (options) => startNetwork(options),
    open: ['GET /', 'GET /v2.0'],
    examples: {
      ...Object.fromEntries(examples),
      agent_id: async ({ client, admin, ctx, dataPlane }) => {
        await new AgentsSweep(dataPlane).follow(ctx);
        const answer = await client.get('/v2.0/agents', { token: admin });
        return (answer.body as { agents: { id: string }[] }).agents[0]?.id ?? '';
      },
    },
    withoutExample: WITHOUT_EXAMPLE,
  });
});
