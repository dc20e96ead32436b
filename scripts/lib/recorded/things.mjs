/**
 * The resources that record-data-folder.mjs makes in a cloud: a row of every table that clients fill,
 * images and objects with bytes, and guests. Add what a new table needs.
 */
import { createHash } from 'node:crypto';
import '../typescript-sources.mjs';
import { CloudClient, V3, login } from './client.mjs';
import { makeBalancer, makeNetworks } from './networks.mjs';
import { makeBuckets } from './objects.mjs';
import { makeCluster, makeSecrets, makeStack } from './stacks.mjs';

/** @returns what clients know and later builds must take */
export async function makeSomeOfEverything(client, { adminPassword, demoPassword }) {
  const kid = kidOf(await client.logIn(...login('admin', adminPassword)));
  const admin = new CloudClient(client.url);
  await admin.logIn(...login('admin', adminPassword));
  const users = await makeUsers(client);
  await makeCatalog(client, users);
  await makeMetadefs(client);
  const delegated = await makeDelegations(client, users);
  const images = await makeImages(client);
  await client.logIn(...login('demo', demoPassword));
  const servers = await makeServers(client);
  const networks = await makeNetworks(client);
  return {
    kid,
    images,
    servers,
    ...delegated,
    networks,
    balancer: await makeBalancer(client, networks),
    secrets: await makeSecrets(client),
    stack: await makeStack(client),
    buckets: await makeBuckets(client, await makeKeys(client, demoPassword, delegated.trust)),
    cluster: await makeCluster(admin, client),
    users: [
      { name: 'admin', password: adminPassword },
      { name: 'demo', password: demoPassword },
      { name: users.name, password: users.password },
    ],
  };
}

function kidOf(token) {
  return JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString()).kid;
}

/** Users, groups, roles, a domain with a configuration, and a token taken back. */
async function makeUsers(client) {
  const [name, password] = ['recorded', 'the second password'];
  const { domain } = await client.post(`${V3}/domains`, { domain: { name: 'recorded' } });
  await client.send('PUT', `${V3}/domains/${domain.id}/config`, {
    config: { identity: { driver: 'ldap' }, ldap: { url: 'ldap://localhost', user: 'cn=root' } },
  });
  const { project } = await client.post(`${V3}/projects`, {
    project: { name, tags: ['recorded'], options: {} },
  });
  const { user } = await client.post(`${V3}/users`, {
    user: { name, password: 'the first password', email: 'recorded@example.org' },
  });
  const { group } = await client.post(`${V3}/groups`, { group: { name } });
  await client.send('PUT', `${V3}/groups/${group.id}/users/${user.id}`);
  const { roles } = await client.send('GET', `${V3}/roles`);
  const member = roles.find((role) => role.name === 'member');
  const { role } = await client.post(`${V3}/roles`, { role: { name } });
  await client.send('PUT', `${V3}/roles/${member.id}/implies/${role.id}`);
  await client.send('PUT', `${V3}/projects/${project.id}/users/${user.id}/roles/${member.id}`);
  await client.send('PUT', `${V3}/projects/${project.id}/groups/${group.id}/roles/${role.id}`);
  await client.post(`${V3}/users/${user.id}/password`, {
    user: { original_password: 'the first password', password },
  });
  const leaving = new CloudClient(client.url);
  const token = await leaving.logIn(...login(name, password));
  await leaving.send('DELETE', `${V3}/auth/tokens`, undefined, { 'X-Subject-Token': token });
  return { name, password, id: user.id, projectId: project.id };
}

/** Services and endpoints, limits, policies, and what filters endpoints for projects. */
async function makeCatalog(client, { projectId }) {
  const { service } = await client.post(`${V3}/services`, {
    service: { name: 'recorded', type: 'volume' },
  });
  const { region } = await client.post(`${V3}/regions`, { region: { id: 'recorded' } });
  const { endpoint } = await client.post(`${V3}/endpoints`, {
    endpoint: {
      service_id: service.id,
      region_id: region.id,
      interface: 'public',
      url: 'https://volumes.example.org',
    },
  });
  const limited = { service_id: service.id, resource_name: 'volumes' };
  await client.post(`${V3}/registered_limits`, {
    registered_limits: [{ ...limited, default_limit: 10 }],
  });
  await client.post(`${V3}/limits`, {
    limits: [{ ...limited, project_id: projectId, resource_limit: 5 }],
  });
  await client.post(`${V3}/policies`, { policy: { type: 'application/json', blob: '{}' } });
  const filter = `${V3}/OS-EP-FILTER`;
  const { endpoint_group: group } = await client.post(`${filter}/endpoint_groups`, {
    endpoint_group: { name: 'recorded', filters: { service_id: service.id } },
  });
  await client.send('PUT', `${filter}/projects/${projectId}/endpoints/${endpoint.id}`);
  await client.send('PUT', `${filter}/endpoint_groups/${group?.id}/projects/${projectId}`);
}

/** A namespace with one of each of its parts. */
async function makeMetadefs(client) {
  const namespaces = '/image/v2/metadefs/namespaces';
  await client.post(namespaces, { namespace: 'Recorded', visibility: 'public' });
  await client.post(`${namespaces}/Recorded/resource_types`, { name: 'OS::Recorded::Thing' });
  const property = { name: 'speed', title: 'Speed', type: 'integer' };
  await client.post(`${namespaces}/Recorded/properties`, property);
  await client.post(`${namespaces}/Recorded/objects`, {
    name: 'wheel',
    properties: { size: { title: 'Size', type: 'string' } },
  });
  await client.post(`${namespaces}/Recorded/tags/fast`);
}

/** What logs in without the user's password: a trust, an application credential, access keys. */
async function makeDelegations(admin, { name, password, id, projectId }) {
  const { users } = await admin.send('GET', `${V3}/users?name=demo`);
  const client = new CloudClient(admin.url);
  await client.logIn(...login(name, password));
  const { trust } = await client.post(`${V3}/OS-TRUST/trusts`, {
    trust: {
      trustor_user_id: id,
      trustee_user_id: users[0].id,
      project_id: projectId,
      impersonation: true,
      roles: [{ name: 'member' }],
    },
  });
  const { application_credential: application } = await client.post(
    `${V3}/users/${id}/application_credentials`,
    {
      application_credential: {
        name,
        access_rules: [{ service: 'image', method: 'GET', path: '/v2/images' }],
      },
    },
  );
  const { credential } = await client.post(`${V3}/users/${id}/credentials/OS-EC2`, {
    tenant_id: projectId,
  });
  const blob = 'a certificate';
  await client.post(`${V3}/credentials`, { credential: { type: 'cert', blob, user_id: id } });
  return {
    trust: { id: trust.id },
    application: { id: application.id, secret: application.secret },
    ec2: { user: id, access: credential.access, secret: credential.secret },
  };
}

/** Access keys of demo: of a login, of an application credential, and within the trust. */
async function makeKeys(client, password, trust) {
  const { token } = await client.whoAmI();
  const keys = `${V3}/users/${token.user.id}/credentials/OS-EC2`;
  const make = async (by) => {
    const { credential } = await by.post(keys, { tenant_id: token.project.id });
    return { access: credential.access, secret: credential.secret };
  };
  const { application_credential: application } = await client.post(
    `${V3}/users/${token.user.id}/application_credentials`,
    { application_credential: { name: 'makes keys', unrestricted: true } },
  );
  const delegate = new CloudClient(client.url);
  await delegate.logIn({
    methods: ['application_credential'],
    application_credential: { id: application.id, secret: application.secret },
  });
  const trustee = new CloudClient(client.url);
  const [identity] = login('demo', password);
  await trustee.logIn(identity, { 'OS-TRUST:trust': { id: trust.id } });
  const trusted = await trustee.whoAmI();
  const { credential } = await trustee.post(
    `${V3}/users/${trusted.token.user.id}/credentials/OS-EC2`,
    { tenant_id: trusted.token.project.id },
  );
  return {
    own: await make(client),
    delegated: await make(delegate),
    trusted: { access: credential.access, secret: credential.secret },
  };
}

/** A bootable one, uploaded and shared with demo; one that was imported; one without data. */
async function makeImages(client) {
  const { tinyGuest } =
    await import('../../../apps/compute/src/hypervisor/contract/tiny-guest.fixture.ts');
  const fields = { disk_format: 'raw', container_format: 'bare' };
  const make = async (name, visibility) =>
    (await client.post('/image/v2/images', { name, visibility, ...fields })).id;
  const known = (id, bytes) => ({ id, sha256: createHash('sha256').update(bytes).digest('hex') });

  const guest = tinyGuest({ text: 'recorded guest\r\n' });
  const uploaded = await make('recorded-guest', 'public');
  await client.send('PUT', `/image/v2/images/${uploaded}/file`, guest);

  const bytes = Buffer.from('what was imported');
  const imported = await make('recorded-import', 'shared');
  await client.send('PUT', `/image/v2/images/${imported}/stage`, bytes);
  await client.post(`/image/v2/images/${imported}/import`, { method: { name: 'glance-direct' } });
  await client.until(`/image/v2/images/${imported}`, ({ status }) => status === 'active');
  const { projects } = await client.send('GET', `${V3}/projects?name=demo`);
  const member = projects[0].id;
  await client.post(`/image/v2/images/${imported}/members`, { member });
  await make('recorded-queued', 'private');
  return [known(uploaded, guest), known(imported, bytes)];
}

/** One that runs and one that was stopped. */
async function makeServers(client) {
  const servers = '/compute/v2.1/servers';
  const { images } = await client.send('GET', '/image/v2/images?name=recorded-guest');
  const make = async (name) => {
    const { server } = await client.post(servers, {
      server: {
        name,
        imageRef: images[0].id,
        flavorRef: '42',
        metadata: { recorded: 'yes' },
      },
    });
    await settled(server.id, 'ACTIVE');
    return server.id;
  };
  const settled = (id, status) =>
    client.until(`${servers}/${id}`, ({ server }) => server.status === status);
  const [running, stopped] = [await make('running'), await make('stopped')];
  await client.post(`${servers}/${stopped}/action`, { 'os-stop': null });
  await settled(stopped, 'SHUTOFF');
  return [
    { id: running, status: 'ACTIVE' },
    { id: stopped, status: 'SHUTOFF' },
  ];
}
