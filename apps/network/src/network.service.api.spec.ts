/** The tests that every service passes. */
import { describe } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { testService } from '@cumulet/testing/test-service';
import { AgentsSweep } from './agents/agents.sweep.js';
import { startNetwork, type NetworkFixture } from './network.fixture.js';
import { networkService } from './service.js';

const create = async (
  { client }: Pick<NetworkFixture, 'client'>,
  token: string,
  kind: string,
  fields: object,
): Promise<string> => {
  const { body } = await client.post(`/v2.0/${kind.replaceAll('_', '-')}s`, {
    token,
    body: { [kind]: fields },
  });
  return (body as Record<string, { id: string }>)[kind]?.id ?? '';
};

describe('the network service', () => {
  testService(networkService, {
    start: (options) => startNetwork(options),
    open: ['GET /', 'GET /v2.0'],
    examples: {
      agent_id: async ({ client, tokens, ctx, dataPlane }) => {
        await new AgentsSweep(dataPlane).follow(ctx);
        const answer = await client.get('/v2.0/agents', { token: await tokens.issue(['admin']) });
        return (answer.body as { agents: { id: string }[] }).agents[0]?.id ?? '';
      },
      address_group_id: (started, token) => create(started, token, 'address_group', {}),
      address_scope_id: (started, token) =>
        create(started, token, 'address_scope', { name: 'one', ip_version: 4 }),
      subnetpool_id: (started, token) =>
        create(started, token, 'subnetpool', { name: 'one', prefixes: ['10.0.0.0/8'] }),
      network_id: (started, token) => create(started, token, 'network', {}),
      subnet_id: async (started, token) => {
        const network_id = await create(started, token, 'network', {});
        return create(started, token, 'subnet', { network_id, ip_version: 4, cidr: '10.0.0.0/24' });
      },
      rbac_policy_id: async (started, token) => {
        const object_id = await create(started, token, 'network', {});
        const fields = { object_type: 'network', object_id, action: 'access_as_shared' };
        const body = { rbac_policy: { ...fields, target_tenant: newId() } };
        const answer = await started.client.post('/v2.0/rbac-policies', { token, body });
        return (answer.body as { rbac_policy: { id: string } }).rbac_policy.id;
      },
      router_id: (started, token) => create(started, token, 'router', {}),
      floatingip_id: async (started, token) => {
        const admin = await started.tokens.issue(['admin']);
        const fields = { 'router:external': true };
        const network_id = await create(started, admin, 'network', fields);
        const subnet = { network_id, ip_version: 4, cidr: '203.0.113.0/24' };
        await create(started, admin, 'subnet', subnet);
        return create(started, token, 'floatingip', { floating_network_id: network_id });
      },
      security_group_id: (started, token) =>
        create(started, token, 'security_group', { name: 'one' }),
      security_group_rule_id: async (started, token) => {
        const security_group_id = await create(started, token, 'security_group', { name: 'one' });
        const rule = { security_group_id, direction: 'ingress' };
        return create(started, token, 'security_group_rule', rule);
      },
      policy_id: async ({ client, tokens }) => {
        const [token, body] = [await tokens.issue(['admin']), { policy: { name: 'one' } }];
        const answer = await client.post('/v2.0/qos/policies', { token, body });
        return (answer.body as { policy: { id: string } }).policy.id;
      },
      trunk_id: async (started, token) => {
        const network_id = await create(started, token, 'network', {});
        const port_id = await create(started, token, 'port', { network_id });
        return create(started, token, 'trunk', { port_id });
      },
      port_id: async (started, token) => {
        const network_id = await create(started, token, 'network', {});
        return create(started, token, 'port', { network_id });
      },
    },
    // Public; of quotas and of rules of QoS policies, other specs.
    withoutExample: [
      'default_security_group_rule_id',
      'project_id',
      'rule_id',
      'security_groups_default_statefulness_id',
    ],
  });
});
