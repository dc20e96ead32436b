/** Applies a load balancer and waits to be killed. Arguments: data folder, spec as JSON. */
import type { BalancerSpec } from '../balancer-spec.js';
import { HaproxyDataPlane } from './haproxy-data-plane.js';
import { proxyOptions } from './haproxy.fixture.js';

const [dataDir = '', spec = ''] = process.argv.slice(2);
const dataPlane = new HaproxyDataPlane(dataDir, await proxyOptions());
await dataPlane.apply(JSON.parse(spec) as BalancerSpec, { kind: 'host' });
console.log('applied');
setInterval(() => undefined, 1000);
