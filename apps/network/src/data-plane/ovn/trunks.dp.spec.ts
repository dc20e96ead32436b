/** Traffic of a guest with VLAN tags, through its trunk. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { NetworkSpec, PortSpec } from '../data-plane.js';
import type { TestGuest } from './host/test-guest.fixture.js';
import { TestHost } from './host/test-host.fixture.js';
import * as cloud from './test-cloud.fixture.js';

let test: TestHost;
let parent: PortSpec;
let subport: PortSpec;
let untagged: TestGuest;
let tagged: TestGuest;
let onParents: TestGuest;
let onSubports: TestGuest;

beforeAll(async () => {
  test = await TestHost.start();
  const [one, other] = ['10.0.1.0/24', '10.0.2.0/24'].map((cidr) =>
    cloud.networkSpec(cloud.subnetSpec(cidr)),
  ) as [NetworkSpec, NetworkSpec];
  for (const network of [one, other]) await test.dataPlane.ensureNetwork(network);
  const group = cloud.groupSpec(cloud.tcp(80));
  await test.dataPlane.ensureSecurityGroup(group);
  const grouped = { securityGroups: [group.id] };
  parent = cloud.portSpec(one, ['10.0.1.11'], grouped);
  onParents = await cloud.guestOn(test, cloud.portSpec(one, ['10.0.1.12'], grouped));
  onSubports = await cloud.guestOn(test, cloud.portSpec(other, ['10.0.2.12'], grouped));
  const carried = { host: null, parent: { portId: parent.id, tag: 7 } };
  subport = cloud.portSpec(other, ['10.0.2.11'], { ...grouped, ...carried });
  await test.dataPlane.ensurePort(parent);
  const parts = await test.plugTrunk(parent, [subport]);
  [untagged, tagged] = parts as [TestGuest, TestGuest];
  await untagged.hasAddress('10.0.1.11/24');
  await tagged.hasAddress('10.0.2.11/24');
  for (const each of [untagged, tagged, onParents, onSubports]) await each.serve(80);
});
afterAll(() => test.stop());

describe('a trunk', () => {
  it('carries the packets of a subport to its network, both ways', async () => {
    await test.dataPlane.ensurePort(subport);
    await eventually('the subport is up', () => test.isUp(subport.id));
    expect((await test.dataPlane.ensurePort(subport)).isUp).toBe(true);
    await eventually('its network answers', () => tagged.reaches('10.0.2.12', 80));
    await eventually('it answers there', () => onSubports.reaches('10.0.2.11', 80));
  });

  it('carries the packets of its parent port, too', async () => {
    await eventually('its network answers', () => untagged.reaches('10.0.1.12', 80));
    expect(await onParents.reaches('10.0.1.11', 80)).toBe(true);
  });

  it('enforces the security groups of a subport', async () => {
    expect(await onSubports.pings('10.0.2.11')).toBe(false);
  });

  it('carries nothing for a removed subport', async () => {
    const status = await test.dataPlane.ensurePort({ ...subport, parent: null });
    expect(status.isUp).toBe(false);
    await eventually('nothing answers', async () => !(await tagged.reaches('10.0.2.12', 80)));
    await test.dataPlane.ensurePort(subport);
    await eventually('its network answers', () => tagged.reaches('10.0.2.12', 80));
  });
});
