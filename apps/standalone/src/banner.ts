import type { SeededEntry } from './cloud-users.js';
import type { Cloud } from './cloud.js';
import type { Seeds } from './seed/seed.js';

export interface BannerFacts {
  readonly cloud: Cloud;
  readonly entries: readonly SeededEntry[];
  readonly cloudsYamlPath: string;
  readonly seeds: Seeds;
  readonly seconds: number;
  /** Passwords are shown at the first start alone: output is kept in places that others read. */
  readonly isFirst: boolean;
}

/** What a person reads once the cloud is up: its address, its users, its services, what to try. */
export function banner(facts: BannerFacts): string {
  const { cloud, entries, cloudsYamlPath, seeds, seconds, isFirst } = facts;
  const users = entries.map(
    ({ name, username, password, project }) =>
      `  ${username.padEnd(8)} ${isFirst ? `${password}   ` : ''}project ${project}, OS_CLOUD=${name}`,
  );
  const first = entries[0]?.name ?? '';
  const width = Math.max(...cloud.services.map(({ name }) => name.length));
  const tries = seeds.micro.isThere
    ? [
        '  openstack server create --image micro --flavor m1.nano --nic none --wait first',
        '  openstack console log show first',
      ]
    : ['  openstack image list'];
  return [
    '',
    `Cumulet is up at ${cloud.url} (${seconds.toFixed(1)} s)`,
    '',
    ...cloud.services.map(({ name, url }) => `  ${name.padEnd(width)} ${url}`),
    ...(cloud.statisticsUrl ? [`  ${'statistics'.padEnd(width)} ${cloud.statisticsUrl}`] : []),
    '',
    isFirst ? 'Users' : `Users (passwords: ${cloudsYamlPath})`,
    ...users,
    '',
    'Drivers',
    ...Object.entries(cloud.drivers).map(([name, reason]) => `  ${name}: ${reason}`),
    `  image micro: ${seeds.micro.line}`,
    ...(seeds.nodeImages ? [`  images of cluster nodes: ${seeds.nodeImages.line}`] : []),
    `  external network: ${seeds.publicNetwork.line}`,
    ...(seeds.vipNetwork ? [`  VIPs of load balancers: ${seeds.vipNetwork.line}`] : []),
    '',
    'Try',
    `  export OS_CLIENT_CONFIG_FILE=${cloudsYamlPath} OS_CLOUD=${first}`,
    '  openstack token issue',
    ...tries,
    '',
    'Ctrl-C stops the cloud; guests go on running, and the next start finds them.',
    '',
  ].join('\n');
}
