import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { refusal, startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { runTree } from '../tree/tree.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = await startLoadBalancer();
});
afterAll(() => fixture.stop());

const post = (listener: object): Promise<TestResponse> =>
  fixture.client.post('/v2.0/lbaas/listeners', { token: fixture.member, body: { listener } });

const invalid = (detail: string): unknown[] => [
  400,
  'ValidationException',
  `Validation failure: ${detail}`,
];

describe('a listener is refused', () => {
  let loadbalancer_id: string;
  let poolId: string;

  beforeAll(async () => {
    ({ id: loadbalancer_id, poolId } = await runTree(fixture));
    await fixture.ctx.manager.query(`UPDATE load_balancers SET vip_address = '203.0.113.5'`);
  });

  const asked = { protocol: 'HTTP', protocol_port: 8080 };
  const ca = { client_ca_tls_container_ref: 'http://secrets/v1/secrets/1' };
  const tls = { ...asked, protocol: 'TERMINATED_HTTPS' };

  it.each<[string, object]>([
    [
      'An SNI or default certificate container reference must be provided for TERMINATED_HTTPS protocol listeners.',
      tls,
    ],
    [
      'Certificate container references are not allowed on HTTP protocol listeners.',
      { ...asked, sni_container_refs: ['http://secrets/v1/containers/1'] },
    ],
    [
      'An SNI or default certificate container reference must be provided with a client CA container reference.',
      { ...tls, ...ca },
    ],
    [
      'Client authentication setting MANDATORY requires a client CA container reference.',
      { ...asked, client_authentication: 'MANDATORY' },
    ],
    [
      'A client authentication CA reference is required to specify a client authentication revocation list.',
      { ...asked, client_crl_container_ref: 'http://secrets/v1/secrets/2' },
    ],
    [
      'The HSTS feature can only be used for listeners using the TERMINATED_HTTPS protocol.',
      { ...asked, hsts_max_age: 1000 },
    ],
    [
      'HSTS configuration options hsts_include_subdomains and hsts_preload only make sense if hsts_max_age is set as well.',
      { ...asked, hsts_preload: true },
    ],
    [
      'CIDR 2001:db8::/32 IP version incompatible with all VIPs 203.0.113.5 IP version.',
      { ...asked, allowed_cidrs: ['10.0.0.0/8', '2001:db8::/32'] },
    ],
    [
      "The pool protocol 'HTTP' is invalid while the listener protocol is 'HTTPS'.",
      { ...asked, protocol: 'HTTPS', default_pool_id: 'POOL' },
    ],
  ])('%s', async (detail, given) => {
    const pool = 'default_pool_id' in given ? { default_pool_id: poolId } : {};
    const answer = await post({ loadbalancer_id, ...given, ...pool });
    expect(refusal(answer)).toEqual(invalid(detail));
  });

  it.each([
    [
      'insert-headers is not a valid option for a TCP protocol listener.',
      { protocol: 'TCP', insert_headers: { 'X-Forwarded-For': 'true' } },
    ],
    [
      'X-Colour\nbad is not a valid option for insert_headers',
      { insert_headers: { 'X-Colour\nbad': 'true' } },
    ],
    [
      'X-SSL-Issuer is not a valid option for HTTP protocol listener.',
      { insert_headers: { 'X-SSL-Issuer': 'true' } },
    ],
  ])('%s', async (message, given) => {
    const answer = await post({ loadbalancer_id, ...asked, ...given });
    expect(refusal(answer)).toEqual([400, 'InvalidOption', message]);
  });

  it.each([
    [
      `Invalid input for protocol. Reason: 'GOPHER' is not in ["TCP","HTTP","HTTPS","TERMINATED_HTTPS","UDP","SCTP","PROMETHEUS"].`,
      { protocol: 'GOPHER' },
    ],
    [
      "Invalid input for protocol_port. Reason: '65536' is too large - must be no larger than '65535'.",
      { protocol_port: 65_536 },
    ],
    [
      "Invalid input for connection_limit. Reason: '-2' is too small - must be at least '-1'.",
      { connection_limit: -2 },
    ],
    [
      "Invalid input for timeout_client_data. Reason: '2073600001' is too large - must be no larger than '2073600000'.",
      { timeout_client_data: 2_073_600_001 },
    ],
    [
      "Invalid input for allowed_cidrs. Reason: '10.0.0.0/33' is not a valid CIDR.",
      { allowed_cidrs: ['10.0.0.0/33'] },
    ],
    [
      "Invalid input for insert_headers. Reason: 'maybe' of X-Forwarded-For must be true or false.",
      { insert_headers: { 'X-Forwarded-For': 'maybe' } },
    ],
    [
      'Invalid input for client_authentication. Reason: \'SOME\' is not in ["NONE","OPTIONAL","MANDATORY"].',
      { client_authentication: 'SOME' },
    ],
    ["Unrecognized attribute(s) 'colour'", { colour: 'red' }],
  ])('%s', async (message, given) => {
    const answer = await post({ loadbalancer_id, ...asked, ...given });
    expect(refusal(answer)).toEqual([400, 'HTTPBadRequest', message]);
  });

  it('with unknown attributes in its body, on creation or change', async () => {
    const { member: token } = fixture;
    const path = '/v2.0/lbaas/listeners';
    const body = { listener: { loadbalancer_id, ...asked }, colour: 'red' };
    const { listenerId } = await runTree(fixture);
    const change = { listener: { name: 'one' }, colour: 'red' };
    const answers = [
      await fixture.client.post(path, { token, body }),
      await fixture.client.put(`${path}/${listenerId}`, { token, body: change }),
    ];
    for (const answer of answers)
      expect(refusal(answer)).toEqual([
        400,
        'HTTPBadRequest',
        "Unrecognized attribute(s) 'colour'",
      ]);
  });

  it.each(['protocol', 'protocol_port', 'loadbalancer_id'])('without %s', async (name) => {
    const answer = await post({ loadbalancer_id, ...asked, [name]: undefined });
    const message = `Failed to parse request. Required attribute '${name}' not specified`;
    expect(refusal(answer)).toEqual([400, 'HTTPBadRequest', message]);
  });

  it('with a pool of another load balancer, or with any pool for metrics', async () => {
    const other = await runTree(fixture);
    const stranger = await post({ loadbalancer_id, ...asked, default_pool_id: other.poolId });
    expect(refusal(stranger)).toEqual([404, 'NotFound', `Pool ${other.poolId} not found.`]);
    const prometheus = { ...asked, protocol: 'PROMETHEUS', default_pool_id: poolId };
    expect(refusal(await post({ loadbalancer_id, ...prometheus }))).toEqual([
      400,
      'ListenerNoChildren',
      'Protocol PROMETHEUS listeners cannot have child objects.',
    ]);
  });

  it('with allowed CIDRs if the load balancer has its own security groups', async () => {
    const group = fixture.networks.addGroup({ projectId: fixture.project });
    const { id } = await fixture.createLoadBalancer({ vip_sg_ids: [group.id] });
    const answer = await post({ loadbalancer_id: id, ...asked, allowed_cidrs: ['10.0.0.0/8'] });
    expect(refusal(answer)).toEqual(
      invalid('Allowed CIDRs are not allowed when using custom VIP Security Groups.'),
    );
  });
});
