/** Creates RBAC policies for tests, and a project that gets access by them. */
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import type { NetworkFixture, Wire } from '../network.fixture.js';

export interface PolicyFixture {
  /** A token of a project that owns nothing. */
  readonly friend: string;
  readonly friendToken: string;
  /** Creates a policy of the network, which by default shares it with the friend. */
  post(networkId: string, fields?: object, token?: string): Promise<TestResponse>;
  /** @throws Error unless the status is 201 */
  grant(networkId: string, fields?: object, token?: string): Promise<Wire>;
  retarget(id: string, target: string, token?: string): Promise<TestResponse>;
  remove(id: string, token?: string): Promise<TestResponse>;
  /** Whether the friend sees the network. */
  isSeen(networkId: string): Promise<boolean>;
}

const PATH = '/v2.0/rbac-policies';

export async function policyFixture(network: NetworkFixture): Promise<PolicyFixture> {
  const { client, member } = network;
  const friend = newId();
  const friendToken = await network.tokens.issue(['member'], { projectId: friend });
  const post: PolicyFixture['post'] = (object_id, fields = {}, token = member) => {
    const shared = { object_type: 'network', action: 'access_as_shared', target_tenant: friend };
    return client.post(PATH, { token, body: { rbac_policy: { ...shared, object_id, ...fields } } });
  };
  return {
    friend,
    friendToken,
    post,
    async grant(...asked) {
      const { status, body, text } = await post(...asked);
      if (status !== 201) throw new Error(`the policy answered ${status}: ${text}`);
      return (body as { rbac_policy: Wire }).rbac_policy;
    },
    retarget: (id, target_tenant, token = member) =>
      client.put(`${PATH}/${id}`, { token, body: { rbac_policy: { target_tenant } } }),
    remove: (id, token = member) => client.delete(`${PATH}/${id}`, { token }),
    async isSeen(id) {
      const { status } = await client.get(`/v2.0/networks/${id}`, { token: friendToken });
      const listed = await network.list('networks', friendToken);
      if (listed.some((one) => one.id === id) !== (status === 200))
        throw new Error(`show and list of ${id} differ`);
      return status === 200;
    },
  };
}
