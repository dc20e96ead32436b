import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { membersOf, ODD_KEYS, oddMap, pollution } from '@cumulet/testing/odd-keys';
import { messageOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let fixture: NetworkFixture;

beforeAll(async () => {
  fixture = await startNetwork();
});
afterAll(() => fixture.stop());

describe('keys that every object inherits', () => {
  it('are stored in the binding profile of a port', async () => {
    const { admin, client } = fixture;
    const { network } = await fixture.networkWith('10.0.0.0/24');
    const profile = oddMap((key) => ({ key }));
    const body = { network_id: network.id, 'binding:profile': profile };
    const port = await fixture.create('ports', body, admin);
    expect(membersOf(port['binding:profile'])).toEqual(membersOf(profile));
    const changed = { port: { 'binding:profile': oddMap(() => 'two') } };
    await client.put(`/v2.0/ports/${port.id}`, { token: admin, body: changed });
    const shown = await fixture.show('ports', port.id, admin);
    expect(membersOf(shown['binding:profile'])).toEqual(membersOf(oddMap(() => 'two')));
    expect(pollution()).toEqual([]);
  });

  it.each(ODD_KEYS)(
    'are refused by name for a resource without such an attribute: %s',
    async (key) => {
      const { client, member: token } = fixture;
      const body = { network: Object.fromEntries([[key, 'x']]) };
      const answer = await client.post('/v2.0/networks', { token, body });
      expect([answer.status, messageOf(answer)]).toEqual([
        400,
        `Unrecognized attribute(s) '${key}'`,
      ]);
      const list = await client.get(`/v2.0/networks?${key}=x`, { token });
      expect([list.status, messageOf(list)]).toEqual([
        400,
        `['${key}'] is invalid attribute for filtering`,
      ]);
    },
  );
});
