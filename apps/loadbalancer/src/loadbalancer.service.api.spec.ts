/** What holds of the service as of any other. */
import { describe } from '@jest/globals';
import { testService } from '@cumulet/testing/test-service';
import { startLoadBalancer, type LoadBalancerFixture, type Wire } from './loadbalancer.fixture.js';
import { loadBalancerService } from './service.js';

type Started = Pick<LoadBalancerFixture, 'client' | 'settle' | 'createLoadBalancer'>;

/** @param path below `/v2.0/lbaas` */
const create = async (
  { client, settle }: Started,
  token: string,
  path: string,
  name: string,
  fields: object,
): Promise<Wire> => {
  const answer = await client.post(`/v2.0/lbaas/${path}`, { token, body: { [name]: fields } });
  if (answer.status !== 201) throw new Error(answer.text);
  await settle();
  return (answer.body as Record<string, Wire>)[name] as Wire;
};

const listener = async (started: Started, token: string): Promise<Wire> => {
  const { id } = await started.createLoadBalancer({}, token);
  const fields = { loadbalancer_id: id, protocol: 'HTTP', protocol_port: 80 };
  return create(started, token, 'listeners', 'listener', fields);
};

const pool = async (started: Started, token: string): Promise<Wire> => {
  const { id } = await started.createLoadBalancer({}, token);
  const fields = { loadbalancer_id: id, protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' };
  return create(started, token, 'pools', 'pool', fields);
};

const policy = async (started: Started, token: string): Promise<Wire> => {
  const { id } = await listener(started, token);
  return create(started, token, 'l7policies', 'l7policy', { listener_id: id, action: 'REJECT' });
};

const idOf = async (made: Promise<Wire>): Promise<string> => (await made).id;

describe('the load balancer service', () => {
  testService(loadBalancerService, {
    start: ({ config = {} }) => startLoadBalancer({ config, losesDatabase: true }),
    open: ['GET /', 'GET /v2', 'GET /v2.0'],
    examples: {
      loadbalancer_id: (started, token) => idOf(started.createLoadBalancer({}, token)),
      listener_id: (started, token) => idOf(listener(started, token)),
      pool_id: (started, token) => idOf(pool(started, token)),
      healthmonitor_id: async (started, token) => {
        const { id } = await pool(started, token);
        const fields = { pool_id: id, type: 'TCP', delay: 1, timeout: 1, max_retries: 1 };
        return idOf(create(started, token, 'healthmonitors', 'healthmonitor', fields));
      },
      l7policy_id: (started, token) => idOf(policy(started, token)),
    },
    withoutExample: ['availability_zone_name', 'flavor_id', 'project_id'],
  });
});
