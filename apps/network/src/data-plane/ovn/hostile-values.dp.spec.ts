/** Values that would be code in OVN's actions if they could escape there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hostileText, manyOf } from '@cumulet/testing/hostile-texts';
import { eventually } from '@cumulet/testing/settle';
import { ownOption } from '../../languages/ovn-dhcp.js';
import { TestHost } from './host/test-host.fixture.js';
import * as cloud from './test-cloud.fixture.js';

let test: TestHost;

beforeAll(async () => {
  test = await TestHost.start();
});
afterAll(() => test.stop());

const PORTS = 40;
const FORGED =
  'x"); eth.dst <-> eth.src; output; reg0[3] = put_dhcp_opts(offerip = 10.0.1.9, wpad = "';

it('are text of DHCP options: OVN parses all of its actions, and answers', async () => {
  const subnet = cloud.subnetSpec('10.0.1.0/24');
  const network = { ...cloud.networkSpec(subnet), dnsDomain: FORGED };
  const group = cloud.groupSpec();
  await test.dataPlane.ensureNetwork(network);
  await test.dataPlane.ensureSecurityGroup(group);
  const texts = manyOf(hostileText).filter((text) => {
    const option = ownOption(4, 'wpad', text);
    return option !== undefined && 'value' in option;
  });
  const optionsOf = (value: string) => [
    ...['wpad', 'bootfile-name', 'path-prefix', 'tftp-server'].map((name) => ({
      name,
      value,
      ipVersion: 4,
    })),
    { name: 'mtu', value: FORGED, ipVersion: 4 },
    { name: 'constructor', value: FORGED, ipVersion: 4 },
  ];
  for (let at = 0; at < PORTS; at += 1)
    await test.dataPlane.ensurePort(
      cloud.portSpec(network, [`10.0.1.${at + 100}`], {
        dhcpOptions: optionsOf(texts[at * 7] ?? FORGED),
      }),
    );
  const port = cloud.portSpec(network, ['10.0.1.11'], {
    securityGroups: [group.id],
    dhcpOptions: optionsOf(FORGED),
  });
  await test.dataPlane.ensurePort(port);
  const guest = await test.plug(port);
  let offer: object = {};
  await eventually('DHCP answers', async () => {
    offer = await guest.dhcp();
    return Object.keys(offer).length > 0;
  });
  expect(offer).toMatchObject({ address: '10.0.1.11', router: '10.0.1.1', mtu: 1442 });
  for (const log of ['controller.log', 'northd.log'])
    expect(await readFile(join(test.folder, 'ovn', log), 'utf8')).not.toMatch(
      /pars(ing|e)|syntax/i,
    );
});
