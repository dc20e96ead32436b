/** A stack that was signalled, secrets, and a cluster. */

const STACKS = '/orchestration/v1';
const SECRETS = '/key-manager/v1';
const CLUSTERS = '/container-infra/v1';

/** Keys of an object like any others; some builds dropped them. */
const TEMPLATE = `
heat_template_version: 2021-04-16
parameters:
  greeting: { type: string, default: Hello }
  hidden: { type: string, hidden: true }
resources:
  random:
    type: OS::Heat::RandomString
    properties: { length: 20 }
  network:
    type: OS::Neutron::Net
    properties: { name: recorded-in-stack }
  handle:
    type: OS::Heat::WaitConditionHandle
  amazon_handle:
    type: AWS::CloudFormation::WaitConditionHandle
  waited:
    type: OS::Heat::WaitCondition
    properties: { handle: { get_resource: handle }, count: 2, timeout: 300 }
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      desired_capacity: 1
      max_size: 4
      resource: { type: OS::Heat::RandomString }
  grow:
    type: OS::Heat::ScalingPolicy
    properties:
      auto_scaling_group_id: { get_resource: group }
      adjustment_type: change_in_capacity
      scaling_adjustment: 1
  config:
    type: OS::Heat::SoftwareConfig
    properties: { config: "#!/bin/sh\\necho recorded", group: script }
outputs:
  random: { value: { get_attr: [random, value] } }
  said: { value: { get_attr: [waited, data] } }
  handle: { value: { get_attr: [handle, endpoint] } }
  signal: { value: { get_attr: [handle, curl_cli] } }
  amazon: { value: { get_resource: amazon_handle } }
  grow: { value: { get_attr: [grow, signal_url] } }
  size: { value: { get_attr: [group, current_size] } }
`;

/** @returns its outputs, and the webhook that adds a member to its group */
export async function makeStack(client) {
  const { token } = await client.whoAmI();
  const stacks = `${STACKS}/${token.project.id}/stacks`;
  const { stack: made } = await client.post(stacks, {
    stack_name: 'recorded',
    template: TEMPLATE,
    parameters: { hidden: 'a hidden value' },
    tags: 'recorded,by the script',
    timeout_mins: 10,
  });
  const path = `${stacks}/recorded/${made.id}`;
  // Rows of resources come as their turn comes.
  await client.until(`${path}/resources`, ({ resources }) =>
    resources.some(
      ({ resource_name: name, resource_status: status }) =>
        name === 'handle' && status === 'CREATE_COMPLETE',
    ),
  );
  const { resource } = await client.send('GET', `${path}/resources/handle`);
  // The older of its two addresses takes a token, and the one that was signed does not.
  const signal = { status: 'SUCCESS', reason: 'recorded' };
  await client.post(`${path}/resources/handle/signal`, { ...signal, id: '1', data: 'first' });
  const signed = /https?:[^\s'"]+/.exec(resource.attributes.curl_cli)[0];
  await client.post(localPath(signed), { ...signal, id: '2', data: 'second' });
  const { stack } = await client.until(
    path,
    ({ stack: { stack_status: status } }) => status === 'CREATE_COMPLETE',
  );
  await client.post(`${path}/snapshots`, { name: 'recorded' });
  await client.until(path, ({ stack: { stack_status: status } }) => status === 'SNAPSHOT_COMPLETE');
  const outputs = Object.fromEntries(
    stack.outputs.map(({ output_key: key, output_value: value }) => [key, value]),
  );
  return {
    id: made.id,
    outputs: { random: outputs.random, said: outputs.said, size: outputs.size },
    grow: localPath(outputs.grow),
    amazon: localPath(outputs.amazon),
  };
}

/** Addresses of the recording's ports lead nowhere later: what stands behind them is kept. */
function localPath(address) {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** One as text, one of bytes that only its creator reads, and a container of both. */
export async function makeSecrets(client) {
  const make = (fields) => client.post(`${SECRETS}/secrets`, fields);
  const text = { name: 'text', payload: 'pass phrase', payload_content_type: 'text/plain' };
  const bytes = {
    name: 'bytes',
    payload: Buffer.from([0, 1, 2, 253, 254, 255]).toString('base64'),
    payload_content_type: 'application/octet-stream',
    payload_content_encoding: 'base64',
    secret_type: 'opaque',
  };
  const made = [];
  for (const fields of [text, bytes]) {
    const { secret_ref: ref } = await make(fields);
    made.push({ id: ref.split('/').at(-1), ref, ...fields });
  }
  const [{ id: textId }, { id: bytesId }] = made;
  await client.send('PUT', `${SECRETS}/secrets/${textId}/metadata`, {
    metadata: { purpose: 'recorded' },
  });
  await client.send('PUT', `${SECRETS}/secrets/${bytesId}/acl`, {
    read: { 'project-access': false },
  });
  await client.post(`${SECRETS}/containers`, {
    name: 'recorded',
    type: 'generic',
    secret_refs: made.map(({ name, ref }) => ({ name, secret_ref: ref })),
  });
  return made.map(({ id, payload, payload_content_type: type }) => ({ id, payload, type }));
}

/** One of a node each; its image is of a system that the recorded build takes for nodes. */
export async function makeCluster(admin, client) {
  const { id: image } = await admin.post('/image/v2/images', {
    name: 'recorded-node',
    visibility: 'public',
    disk_format: 'raw',
    container_format: 'bare',
    os_distro: 'cumulet-node',
    kubernetes_version: 'v1.35.0',
  });
  await admin.send('PUT', `/image/v2/images/${image}/file`, Buffer.alloc(512));
  const { network } = await admin.post('/networking/v2.0/networks', {
    network: { name: 'recorded-external', 'router:external': true },
  });
  await admin.post('/networking/v2.0/subnets', {
    subnet: { network_id: network.id, ip_version: 4, cidr: '198.51.100.0/24', enable_dhcp: false },
  });
  await client.post('/compute/v2.1/os-keypairs', {
    keypair: { name: 'recorded', public_key: PUBLIC_KEY },
  });
  const { uuid: template } = await client.post(`${CLUSTERS}/clustertemplates`, {
    name: 'recorded',
    coe: 'kubernetes',
    image_id: image,
    flavor_id: 'm1.small',
    master_flavor_id: 'm1.small',
    keypair_id: 'recorded',
    external_network_id: network.id,
    labels: { recorded: 'yes' },
  });
  const { uuid: id } = await client.post(`${CLUSTERS}/clusters`, {
    name: 'recorded',
    cluster_template_id: template,
    master_count: 1,
    node_count: 1,
  });
  await client.until(`${CLUSTERS}/clusters/${id}`, ({ status }) => status === 'CREATE_COMPLETE');
  return { id, template };
}

/** Of a pair whose private half nobody kept. */
const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUjwHkPmQzGqYPUz1pnAFFD9mxIJOVRZRoeRe4Qc2lP recorded';
