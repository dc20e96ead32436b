import { describe, expect, it } from '@jest/globals';
import { throughTrust } from '@cumulet/clients/http/actor';
import { testScope, type Answers, type TestScope } from '../resource-scope.fixture.js';
import { NoTrustError, signingKeyOf } from './buckets.js';
import { container } from './bucket-types.js';

const KEYS = '/v3/users/owner/credentials/OS-EC2';
const PAIR = { access: 'A', secret: 'S' };

const scopeWith = (answers: Answers): TestScope => ({
  ...testScope(container, {
    answers: { 'GET /v3/OS-TRUST/trusts/t': { trust: { trustor_user_id: 'owner' } }, ...answers },
  }),
  actor: throughTrust(undefined, 't'),
});

describe('the access key of a stack', () => {
  it('belongs to its trust', async () => {
    const credentials = [
      { access: 'other', secret: 'other', trust_id: null },
      { access: 'former', secret: 'former', trust_id: 's' },
      { ...PAIR, trust_id: 't' },
    ];
    const scope = scopeWith({ [`GET ${KEYS}`]: { credentials } });
    expect(await signingKeyOf(scope)).toEqual({ accessKeyId: 'A', secretAccessKey: 'S' });
    expect(scope.requests).toHaveLength(2);
  });

  it("is created for the stack's project, under the same key by any resource", async () => {
    const scope = scopeWith({
      [`GET ${KEYS}`]: { credentials: [] },
      [`POST ${KEYS}`]: { credential: { ...PAIR, trust_id: 't' } },
    });
    expect(await signingKeyOf(scope)).toEqual({ accessKeyId: 'A', secretAccessKey: 'S' });
    expect(await signingKeyOf({ ...scope, key: () => 'of another resource' })).toBeDefined();
    const made = scope.requests.filter(({ method }) => method === 'POST');
    expect(made).toHaveLength(2);
    for (const one of made)
      expect(one).toMatchObject({ json: { tenant_id: 'project-1' }, key: 'access-key-of-t' });
  });

  it('does not exist without a trust', async () => {
    await expect(signingKeyOf(testScope(container))).rejects.toThrow(NoTrustError);
  });
});
