import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentity, tokenOf, type TestIdentity } from '../identity.fixture.js';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

describe('GET /v3/OS-REVOKE/events', () => {
  it('lists what was revoked, as Keystone does, to services and administrators', async () => {
    const [admin, service, demo] = [
      await tokenOf(identity.client, 'admin'),
      await tokenOf(identity.client, 'compute'),
      await tokenOf(identity.client, 'demo'),
    ];
    const shown = await identity.client.get('/v3/auth/tokens', {
      token: demo,
      headers: { 'X-Subject-Token': demo },
    });
    const [auditId] = (shown.body as { token: { audit_ids: string[] } }).token.audit_ids;
    await identity.client.delete('/v3/auth/tokens', {
      token: demo,
      headers: { 'X-Subject-Token': demo },
    });
    for (const token of [admin, service]) {
      const response = await identity.client.get('/v3/OS-REVOKE/events', { token });
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        events: [
          {
            audit_id: auditId,
            issued_before: expect.stringMatching(/\.\d{6}Z$/),
            revoked_at: expect.stringMatching(/\.\d{6}Z$/),
          },
        ],
        links: {
          next: null,
          self: `${identity.client.baseUrl}/v3/OS-REVOKE/events`,
          previous: null,
        },
      });
    }
  });

  it('is refused to everybody else', async () => {
    const token = await tokenOf(identity.client, 'demo');
    const response = await identity.client.get('/v3/OS-REVOKE/events', { token });
    expect(response.status).toBe(403);
    expect(response.text).toContain('identity:list_revoke_events');
  });
});
