/**
 * The extensions whose behaviour this service has. Clients ask for an alias before they use what it
 * brought. Public source: neutron-lib, `api/definitions`, from which names and dates are.
 */

export interface Extension {
  readonly alias: string;
  readonly name: string;
  readonly description: string;
  /** When its definition last changed. */
  readonly updated: string;
}

const extension = (
  alias: string,
  name: string,
  description: string,
  updated: string,
): Extension => ({ alias, name, description, updated });

export const EXTENSIONS: readonly Extension[] = [
  extension('address-group', 'Address group', 'Support address group', '2020-07-15T10:00:00-00:00'),
  extension(
    'address-scope',
    'Address scope',
    'Address scopes extension.',
    '2015-07-26T10:00:00-00:00',
  ),
  extension(
    'allowed-address-pairs',
    'Allowed Address Pairs',
    'Provides allowed address pairs',
    '2013-07-23T10:00:00-00:00',
  ),
  extension(
    'auto-allocated-topology',
    'Auto Allocated Topology Services',
    'Auto Allocated Topology Services.',
    '2016-01-01T00:00:00-00:00',
  ),
  extension(
    'binding',
    'Port Binding',
    'Expose port bindings of a virtual port to external application',
    '2014-02-03T10:00:00-00:00',
  ),
  extension(
    'default-subnetpools',
    'Default Subnetpools',
    'Provides ability to mark and use a subnetpool as the default.',
    '2016-02-18T18:00:00-00:00',
  ),
  extension(
    'dns-integration',
    'DNS Integration',
    'Provides integration with DNS.',
    '2015-08-15T18:00:00-00:00',
  ),
  extension(
    'external-net',
    'Neutron external network',
    'Adds external network attribute to network resource.',
    '2013-01-14T10:00:00-00:00',
  ),
  extension(
    'extra_dhcp_opt',
    'Neutron Extra DHCP options',
    'Extra options configuration for DHCP. For example PXE boot options to DHCP clients can be specified (e.g. tftp-server, server-ip-address, bootfile-name)',
    '2013-03-17T12:00:00-00:00',
  ),
  extension(
    'expose-port-forwarding-in-fip',
    'Expose Floating IP port forwardings',
    'Expose port forwarding fields in floating IP response',
    '2018-06-28T16:00:00-00:00',
  ),
  extension(
    'ext-gw-mode',
    'Neutron L3 Configurable external gateway mode',
    'Extension of the router abstraction for specifying whether SNAT should occur on the external gateway',
    '2013-03-28T10:00:00-00:00',
  ),
  extension(
    'external-gateway-multihoming',
    'Neutron L3 External Gateway Multihoming',
    'Allow multiple external gateway ports per router',
    '2023-01-18T00:00:00-00:00',
  ),
  extension(
    'extraroute',
    'Neutron Extra Route',
    'Extra routes configuration for L3 router',
    '2013-02-01T10:00:00-00:00',
  ),
  extension(
    'extraroute-atomic',
    'Atomically add/remove extra routes',
    'Edit extra routes of a router on server side by atomically adding/removing extra routes',
    '2019-07-10T00:00:00+00:00',
  ),
  extension(
    'filter-validation',
    'Filter parameters validation',
    'Provides validation on filter parameters.',
    '2018-07-04T10:00:00-00:00',
  ),
  extension(
    'fip-port-details',
    'Floating IP Port Details Extension',
    'Add port_details attribute to Floating IP resource',
    '2018-04-09T10:00:00-00:00',
  ),
  extension(
    'floating-ip-port-forwarding',
    'Floating IP Port Forwarding',
    'Allow port forwarding from floating IP port to an internal port',
    '2018-01-19T10:00:00-00:00',
  ),
  extension(
    'floating-ip-port-forwarding-description',
    'Floating IP Port Forwarding new attribute description',
    'Add a description field to Port Forwarding rules',
    '2019-11-01T10:00:00-00:00',
  ),
  extension(
    'floating-ip-port-forwarding-detail',
    'Floating IP port forwarding detail',
    "Allow list floating ip return more port forwarding data, include'id' and 'internal_port_id'",
    '2022-05-06T10:00:00-00:00',
  ),
  extension(
    'floating-ip-port-forwarding-port-ranges',
    'Floating IP Port Forwarding support port ranges',
    'Add support to port ranges',
    '2020-07-01T10:00:00-00:00',
  ),
  extension(
    'floatingip-autodelete-internal',
    'Autodelete floating IPs of internal networks',
    'Autodelete unused floating IPs of networks being turned to router:external=False',
    '2019-01-24T00:00:00-00:00',
  ),
  extension(
    'floatingip-pools',
    'Floating IP Pools Extension',
    'Provides a floating IP pools API.',
    '2018-03-21T10:00:00-00:00',
  ),
  extension(
    'net-mtu',
    'Network MTU',
    'Provides MTU attribute for a network resource.',
    '2015-03-25T10:00:00-00:00',
  ),
  extension(
    'net-mtu-writable',
    'Network MTU (writable)',
    'Provides a writable MTU attribute for a network resource.',
    '2017-07-12T00:00:00-00:00',
  ),
  extension(
    'network-ip-availability',
    'Network IP Availability',
    'Provides IP availability data for each network and subnet.',
    '2015-09-24T00:00:00-00:00',
  ),
  extension(
    'pagination',
    'Pagination support',
    'Extension that indicates that pagination is enabled.',
    '2016-06-12T00:00:00-00:00',
  ),
  extension(
    'port-security',
    'Port Security',
    'Provides port security',
    '2012-07-23T10:00:00-00:00',
  ),
  extension(
    'project-id',
    'project_id field enabled',
    'Extension that indicates that project_id field is enabled.',
    '2016-09-09T09:09:09-09:09',
  ),
  extension(
    'provider',
    'Provider Network',
    'Expose mapping of virtual networks to physical networks',
    '2012-09-07T10:00:00-00:00',
  ),
  extension(
    'qos',
    'Quality of Service',
    'The Quality of Service extension.',
    '2015-06-08T10:00:00-00:00',
  ),
  extension(
    'qos-bw-limit-direction',
    'Direction for QoS bandwidth limit rule',
    'Allow to configure QoS bandwidth limit rule with specific direction: ingress or egress',
    '2017-04-10T10:00:00-00:00',
  ),
  extension(
    'qos-bw-minimum-ingress',
    'Ingress direction for QoS minimum bandwidth rule',
    'Allow to configure QoS minumum bandwidth rule with ingress direction.',
    '2018-07-09T10:00:00-00:00',
  ),
  extension(
    'qos-default',
    'QoS default policy',
    'Expose the QoS default policy per project',
    '2017-041-06T10:00:00-00:00',
  ),
  extension(
    'qos-port-network-policy',
    'QoS port network policy ID',
    'Adds a the QoS network ID to the port definition',
    '2019-11-01T10:00:00-00:00',
  ),
  extension(
    'qos-pps',
    'QoS Rule Type Packet per Second Extension',
    'Add QoS Rule Type Packet per Second',
    '2021-05-12T10:00:00-00:00',
  ),
  extension(
    'qos-pps-minimum',
    'QoS minimum packet rate rule',
    'Allow to configure QoS minimum packet rate rule.',
    '2021-07-14T10:00:00-00:00',
  ),
  extension(
    'qos-pps-minimum-rule-alias',
    'QoS minimum packet rate rule alias',
    'API to enable GET, PUT and DELETE operations on QoS minimum packet rate rule without specifying policy ID',
    '2021-10-22T10:00:00-00:00',
  ),
  extension(
    'qos-rule-type-details',
    'Details of QoS rule types',
    'Expose details about QoS rule types supported by loaded backend drivers',
    '2017-06-22T10:00:00-00:00',
  ),
  extension(
    'qos-rule-type-filter',
    'Allow to filter the list of QoS rule types',
    'Allows to filter the QoS rule type list adding two new flags. "all_rules" prints all implemented QoS rule types."all_supported" prints all supported QoS rule types by the loaded mechanism drivers',
    '2022-02-02T10:00:00-00:00',
  ),
  extension(
    'qos-rules-alias',
    'Quality of Service rules alias API',
    'API to enable GET, PUT and DELETE operations on QoS policy rules without specifying policy ID',
    '2018-10-07T10:00:00-00:00',
  ),
  extension(
    'rbac-policies',
    'RBAC Policies',
    'Allows creation and modification of policies that control project access to resources.',
    '2015-06-17T12:15:12-00:00',
  ),
  extension(
    'revision-if-match',
    'If-Match constraints based on revision_number',
    'Extension indicating that If-Match based on revision_number is supported.',
    '2016-12-11T00:00:00-00:00',
  ),
  extension(
    'router',
    'Neutron L3 Router',
    'Router abstraction for basic L3 forwarding between L2 Neutron networks and access to external networks via a NAT gateway.',
    '2012-07-20T10:00:00-00:00',
  ),
  extension(
    'router-enable-snat',
    'Exposes the router "enable_snat" read-only configuration flag',
    'Exposes the router "enable_snat" read-only configuration flag',
    '2025-09-18T18:00:00-00:00',
  ),
  extension(
    'security-group',
    'security-group',
    'The security groups extension.',
    '2012-10-05T10:00:00-00:00',
  ),
  extension(
    'security-groups-default-rules',
    'Default rules for security groups',
    'Configure set of security group rules used as default rules for every new security group',
    '2022-12-19T10:00:00-00:00',
  ),
  extension(
    'security-groups-normalized-cidr',
    'Normalized CIDR field for security group rules',
    'Add new field with normalized cidr calculated from remote_ip_prefix field',
    '2021-06-11T10:00:00-00:00',
  ),
  extension(
    'security-groups-remote-address-group',
    'Remote address group id field for security group rules',
    'Add new field of remote address group id in SG rules',
    '2020-08-25T10:00:00-00:00',
  ),
  extension(
    'service-type',
    'Neutron Service Type Management',
    'API for retrieving service providers for Neutron advanced services',
    '2013-01-20T00:00:00-00:00',
  ),
  extension(
    'sorting',
    'Sorting support',
    'Extension that indicates that sorting is enabled.',
    '2016-06-12T00:00:00-00:00',
  ),
  extension(
    'subnet_allocation',
    'Subnet Allocation',
    'Enables allocation of subnets from a subnet pool',
    '2015-03-30T10:00:00-00:00',
  ),
  extension(
    'subnet_onboard',
    'Subnet Onboard',
    'Provides support for onboarding subnets into subnet pools',
    '2018-12-18T09:00:00-00:00',
  ),
  extension(
    'subnetpool-prefix-ops',
    'Subnet Pool Prefix Operations',
    'Provides support for adjusting the prefix list of subnet pools',
    '2019-02-08T10:00:00-00:00',
  ),
  extension(
    'subnet-service-types',
    'Subnet service types',
    'Provides ability to set the subnet service_types field',
    '2016-03-15T18:00:00-00:00',
  ),
  extension(
    'tag-creation',
    'Tag creation extension',
    'Allow to create multiple tags for a resource',
    '2024-23-07T10:00:00-00:00',
  ),
  extension(
    'tag-ports-during-bulk-creation',
    'Tag Ports During Bulk Creation',
    'Allow to tag ports during bulk creation',
    '2019-12-29T19:00:00-00:00',
  ),
  extension(
    'quotas',
    'Quota management support',
    'Expose functions for quotas management per project',
    '2012-07-29T10:00:00-00:00',
  ),
  extension(
    'quota_details',
    'Quota details management support',
    'Expose functions for quotas usage statistics per project',
    '2017-02-10T10:00:00-00:00',
  ),
  extension(
    'standard-attr-description',
    'standard-attr-description',
    'Extension to add descriptions to standard attributes',
    '2016-02-10T10:00:00-00:00',
  ),
  extension(
    'standard-attr-revisions',
    'Resource revision numbers',
    'This extension will display the revision number of neutron resources.',
    '2016-04-11T10:00:00-00:00',
  ),
  extension(
    'standard-attr-tag',
    'Tag support for resources with standard attribute: network, subnet, port, router, security_group',
    'Enables to set tag on resources with standard attribute.',
    '2017-01-01T00:00:00-00:00',
  ),
  extension(
    'standard-attr-timestamp',
    'Resource timestamps',
    'Adds created_at and updated_at fields to all Neutron resources that have Neutron standard attributes.',
    '2016-09-12T10:00:00-00:00',
  ),
  extension(
    'stateful-security-group',
    'Stateful security group',
    'Indicates if the security group is stateful or not',
    '2019-11-26T09:00:00-00:00',
  ),
];
