import { expect, it } from '@jest/globals';
import { routingOf } from './routes.js';

const on = 'dev eth0 proto static onlink';
const placed = (address: string, cidr: string, gatewayIp: string | null) => ({
  address,
  cidr,
  gatewayIp,
  hostRoutes: [],
});

it('uses the first gateway of each version, and replies from other subnets by their own gateways', () => {
  const routing = routingOf([
    placed('10.0.1.5', '10.0.1.0/24', '10.0.1.1'),
    placed('2001:db8::5', '2001:db8::/64', 'fe80::1'),
    placed('10.0.2.5', '10.0.2.0/24', '10.0.2.1'),
  ]);
  expect(routing).toEqual({
    addresses: ['10.0.1.5/24', '2001:db8::5/64', '10.0.2.5/24'],
    routes: [
      `-4 route replace default via 10.0.1.1 ${on}`,
      `-6 route replace default via fe80::1 ${on}`,
      '-4 route replace 10.0.2.0/24 dev eth0 proto static table 1002',
      `-4 route replace default via 10.0.2.1 ${on} table 1002`,
    ],
    rules: ['-4 rule add from 10.0.2.5 lookup 1002 pref 1002'],
  });
});

it('has the host routes of its subnet, and no default route without a gateway', () => {
  const hostRoutes = [{ destination: '192.0.2.0/24', nexthop: '10.0.1.9' }];
  expect(routingOf([{ ...placed('10.0.1.5', '10.0.1.0/24', null), hostRoutes }])).toEqual({
    addresses: ['10.0.1.5/24'],
    routes: [`-4 route replace 192.0.2.0/24 via 10.0.1.9 ${on}`],
    rules: [],
  });
});
