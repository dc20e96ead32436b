/** Networks, and a load balancer on one of them. */

const V2 = '/networking/v2.0';
const LBAAS = '/load-balancer/v2/lbaas';

/** A network with all that hangs on one: rules, ports with DHCP options, a router, and sharing. */
export async function makeNetworks(client) {
  const { network } = await client.post(`${V2}/networks`, {
    network: { name: 'recorded', dns_domain: 'recorded.example.org.' },
  });
  const { subnet } = await client.post(`${V2}/subnets`, {
    subnet: {
      network_id: network.id,
      name: 'recorded',
      ip_version: 4,
      cidr: '192.168.77.0/24',
      dns_nameservers: ['192.0.2.53'],
      host_routes: [{ destination: '198.51.100.0/24', nexthop: '192.168.77.9' }],
      allocation_pools: [{ start: '192.168.77.10', end: '192.168.77.99' }],
    },
  });
  const { security_group: group } = await client.post(`${V2}/security-groups`, {
    security_group: { name: 'recorded', description: 'recorded' },
  });
  const addresses = await client.post(`${V2}/address-groups`, {
    address_group: { name: 'recorded', addresses: ['203.0.113.0/24'] },
  });
  const rules = [];
  for (const rule of [
    { protocol: 'tcp', port_range_min: 80, port_range_max: 443, remote_ip_prefix: '0.0.0.0/0' },
    { protocol: 'icmp', port_range_min: 8, remote_group_id: group.id },
    { protocol: '47', remote_address_group_id: addresses.address_group?.id },
    { protocol: 'udp', ethertype: 'IPv6', direction: 'egress', remote_ip_prefix: 'fd00::/8' },
  ]) {
    const { security_group_rule: made } = await client.post(`${V2}/security-group-rules`, {
      security_group_rule: { direction: 'ingress', security_group_id: group.id, ...rule },
    });
    rules.push({ id: made.id, ...rule });
  }
  const options = [
    { opt_name: 'bootfile-name', opt_value: 'pxelinux.0', ip_version: 4 },
    { opt_name: 'server-ip-address', opt_value: '192.0.2.9', ip_version: 4 },
    { opt_name: 'mtu', opt_value: '1400', ip_version: 4 },
  ];
  const { port } = await client.post(`${V2}/ports`, {
    port: {
      network_id: network.id,
      name: 'recorded',
      dns_name: 'recorded',
      security_groups: [group.id],
      extra_dhcp_opts: options,
      allowed_address_pairs: [{ ip_address: '192.168.77.200/29' }],
      fixed_ips: [{ subnet_id: subnet.id, ip_address: '192.168.77.50' }],
    },
  });
  const { router } = await client.post(`${V2}/routers`, { router: { name: 'recorded' } });
  await client.send('PUT', `${V2}/routers/${router.id}/add_router_interface`, {
    subnet_id: subnet.id,
  });
  await client.send('PUT', `${V2}/routers/${router.id}`, {
    router: { routes: [{ destination: '198.51.100.0/24', nexthop: '192.168.77.9' }] },
  });
  await client.send('PUT', `${V2}/networks/${network.id}/tags/recorded`);
  await client.post(`${V2}/subnetpools`, {
    subnetpool: { name: 'recorded', prefixes: ['10.77.0.0/16'], default_prefixlen: 24 },
  });
  const parent = await client.post(`${V2}/ports`, { port: { network_id: network.id } });
  const child = await client.post(`${V2}/ports`, { port: { network_id: network.id } });
  await client.post(`${V2}/trunks`, {
    trunk: {
      port_id: parent.port.id,
      sub_ports: [{ port_id: child.port.id, segmentation_type: 'vlan', segmentation_id: 7 }],
    },
  });
  return { subnet: subnet.id, group: group.id, rules, port: port.id, options };
}

/** A load balancer with a listener, two pools, a monitor, and a policy with rules. */
export async function makeBalancer(client, { subnet }) {
  const { loadbalancer: made } = await client.post(`${LBAAS}/loadbalancers`, {
    loadbalancer: {
      name: 'recorded',
      vip_subnet_id: subnet,
      listeners: [
        {
          name: 'web',
          protocol: 'HTTP',
          protocol_port: 80,
          insert_headers: { 'X-Forwarded-For': 'true' },
          allowed_cidrs: ['192.168.0.0/16'],
          default_pool: {
            name: 'web',
            protocol: 'HTTP',
            lb_algorithm: 'ROUND_ROBIN',
            session_persistence: { type: 'APP_COOKIE', cookie_name: 'session' },
            healthmonitor: {
              type: 'HTTP',
              delay: 5,
              timeout: 2,
              max_retries: 2,
              url_path: '/health?deep=1',
              expected_codes: '200-204',
            },
            members: [{ address: '192.168.77.60', protocol_port: 8080, weight: 3 }],
          },
        },
      ],
    },
  });
  const path = `${LBAAS}/loadbalancers/${made.id}`;
  const settled = () =>
    client.until(path, ({ loadbalancer: now }) => now.provisioning_status === 'ACTIVE');
  const { loadbalancer } = await settled();
  const { l7policy } = await client.post(`${LBAAS}/l7policies`, {
    l7policy: {
      name: 'old',
      listener_id: loadbalancer.listeners[0].id,
      action: 'REDIRECT_PREFIX',
      redirect_prefix: 'https://new.example.org',
      redirect_http_code: 301,
    },
  });
  await settled();
  const rules = [
    { type: 'PATH', compare_type: 'STARTS_WITH', value: '/old' },
    { type: 'HEADER', compare_type: 'REGEX', key: 'User-Agent', value: '^curl/[0-9]+' },
    { type: 'COOKIE', compare_type: 'EQUAL_TO', key: 'stay', value: 'no', invert: true },
  ];
  for (const rule of rules) {
    await client.post(`${LBAAS}/l7policies/${l7policy.id}/rules`, { rule });
    await settled();
  }
  return { id: made.id, policy: l7policy.id, rules };
}
