/** What Heat's plugin of Tempest must know of a cloud: who makes stacks, of what, and on which network. */
import type { CatalogSession } from './catalog-session.js';
import type { CloudEntry } from './cloud-entry.js';
import type { TempestConf } from './tempest.js';

const NETWORK = 'heat-net';
const SUBNET = 'heat-subnet';
/** Small flavors of the cloud's, by name. */
const FLAVORS = { minimal_instance_type: 'm1.nano', instance_type: 'm1.micro' };
/** They wait, for up to twenty minutes each, for what real guests would do with their user data. */
const NEED_GUESTS = {
  skip_functional_test_list: 'OSWaitCondition',
  skip_scenario_test_list:
    'CfnInitIntegrationTest,LoadBalancerTest,ServerSignalIntegrationTest,SoftwareConfigIntegrationTest',
};

/** Who uses the cloud: a user and an administrator, whose session makes what is shared. */
export interface StackUsers {
  readonly user: CloudEntry;
  readonly admin: CloudEntry;
  readonly session: CatalogSession;
}

/** @param image the name of one that everybody may boot */
export async function stacksConf(users: StackUsers, image: string): Promise<TempestConf> {
  await makeNetwork(users.session);
  const { auth, region_name: region } = users.user;
  const domain = { user_domain_name: 'Default', project_domain_name: 'Default' };
  return {
    heat_plugin: {
      auth_url: auth['auth_url'] ?? '',
      region,
      ...domain,
      ...prefixed('', users.user),
      ...prefixed('admin_', users.admin),
      ...FLAVORS,
      image_ref: image,
      minimal_image_ref: image,
      fixed_network_name: NETWORK,
      fixed_subnet_name: SUBNET,
      network_for_ssh: NETWORK,
      hidden_stack_tag: 'data-processing-cluster',
      build_interval: 1,
      ...NEED_GUESTS,
    },
    heat_features_enabled: { stack_cancel: 'True' },
  };
}

/** `admin_username` and the like. */
function prefixed(prefix: string, { auth }: CloudEntry): Record<string, string> {
  const names = ['username', 'password', 'project_name'];
  return Object.fromEntries(names.map((name) => [prefix + name, auth[name] ?? '']));
}

/** Shared, so that the user sees it whatever project it is of. */
async function makeNetwork(session: CatalogSession): Promise<void> {
  const post = async (path: string, body: object): Promise<Record<string, { id: string }>> => {
    const response = await session.send('network', `/v2.0/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, { id: string }>;
  };
  const { network } = await post('networks', { network: { name: NETWORK, shared: true } });
  const subnet = { name: SUBNET, network_id: network?.id, ip_version: 4, cidr: '10.123.0.0/24' };
  await post('subnets', { subnet });
}
