/**
 * What a cloud's services hold of what stacks and clusters make there: what one leaves behind shows in
 * it. Asked of the services at once, since the client would take a second for each list.
 */
import { CatalogSession } from './catalog-session.js';
import { readCloudEntry } from './cloud-entry.js';
import { PythonEnvironment } from './python-environment.js';

export type Lists = Readonly<Record<string, readonly string[]>>;

/** Of all projects, by the service's type: what is below its address in the catalog. */
const OF_ALL: Lists = {
  compute: ['/servers?all_tenants=true', '/os-server-groups?all_projects=true'],
  network: ['networks', 'subnets', 'ports', 'routers', 'floatingips', 'security-groups'].map(
    (one) => `/v2.0/${one}`,
  ),
  'load-balancer': ['loadbalancers', 'listeners', 'pools', 'healthmonitors'].map(
    (one) => `/v2/lbaas/${one}`,
  ),
  orchestration: ['/stacks?show_nested=true&global_tenant=true'],
  image: ['/v2/images'],
  'container-infra': ['/clusters', '/clustertemplates'],
  identity: ['/projects', '/users'],
};

/** The user's own. */
const ofUser = (id: string): Lists => ({
  identity: [
    `/OS-TRUST/trusts?trustor_user_id=${id}`,
    `/users/${id}/credentials/OS-EC2`,
    `/users/${id}/application_credentials`,
  ],
  compute: ['/os-keypairs'],
  'key-manager': ['/v1/secrets', '/v1/containers'],
  orchestration: ['/software_configs', '/software_deployments'],
});

interface Item {
  readonly id?: string;
  readonly uuid?: string;
  readonly name?: string;
}

/** @returns the ids of what there is, by the path that lists it */
export async function whatThereIs({ cloudsYaml }: { readonly cloudsYaml: string }): Promise<Lists> {
  const python = await PythonEnvironment.install('openstack-client');
  const [admin, demo] = await Promise.all(
    (['cumulet-admin', 'cumulet'] as const).map(async (name) =>
      CatalogSession.open(await readCloudEntry(python, cloudsYaml, name)),
    ),
  );
  if (!admin || !demo) throw new Error('there is no session');
  return { ...(await idsListed(admin, OF_ALL)), ...(await idsListed(demo, ofUser(demo.userId))) };
}

/** @returns the ids of what is in these lists, by the path that lists it */
export async function idsListed(session: CatalogSession, lists: Lists): Promise<Lists> {
  return Object.fromEntries(await Promise.all(listed(session, lists)));
}

function listed(session: CatalogSession, lists: Lists): Promise<[string, string[]]>[] {
  return Object.entries(lists).flatMap(([type, paths]) =>
    paths.map(async (path): Promise<[string, string[]]> => {
      const body = (await (await session.send(type, path)).json()) as Record<string, unknown>;
      const items = Object.values(body).find(Array.isArray) as Item[];
      // Each project gets a security group of this name when it is first asked for.
      const own = items.filter(({ name }) => name !== 'default');
      return [
        `${type} ${path}`,
        own.map((one) => one.id ?? one.uuid ?? JSON.stringify(one)).sort(),
      ];
    }),
  );
}
