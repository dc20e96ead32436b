/** What the openstack client asks of a server's consoles, and of its diagnostics. */
import { expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

let admin: OpenStackClient;
let demo: OpenStackClient;

withProject(async (started) => {
  ({ admin, demo } = started);
  await demo.text(...words`server create --image micro --flavor m1.nano --nic none --wait first`);
});

type Row = Readonly<Record<string, unknown>>;

it(
  'console url show gives a page, and with --serial a WebSocket',
  async () => {
    const page = await demo.json<Row>(...words`console url show first`);
    expect(page).toMatchObject({ protocol: 'vnc', type: 'novnc' });
    const response = await fetch(String(page['url']));
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('noVNC'),
    ]);
    const serial = await demo.json<Row>(...words`console url show --serial first`);
    expect(serial).toMatchObject({ protocol: 'serial', url: expect.stringMatching(/^ws:/) });
  },
  10 * MINUTES,
);

it(
  'console connection show tells administrators to which server a token leads',
  async () => {
    const { id } = await demo.json<Row>(...words`server show first`);
    const { url } = await demo.json<Row>(...words`console url show --serial first`);
    const token = String(new URL(String(url)).searchParams.get('token'));
    const ask = words`--os-compute-api-version 2.99 console connection show ${token}`;
    expect(await admin.json<Row>(...ask)).toMatchObject({ instance_uuid: id });
    expect(await demo.refusal(...ask)).toContain('needs the role admin');
  },
  10 * MINUTES,
);

it(
  'console log show prints what the guest wrote, or its last lines',
  async () => {
    expect(await demo.text(...words`console log show first`)).toContain('Linux version');
    const last = await demo.text(...words`console log show --lines 1 first`);
    expect(last).toContain('first login:');
    expect(last).not.toContain('Linux version');
  },
  10 * MINUTES,
);

it(
  'server show --diagnostics has the figures of the machine, for administrators',
  async () => {
    const { id } = await demo.json<Row>(...words`server show first`);
    const shown = await admin.text('server', 'show', '--diagnostics', String(id));
    expect(shown).toContain('memory');
  },
  10 * MINUTES,
);
