/** Extensions of security groups, QoS and RBAC. */

export interface Extension {
  readonly alias: string;
  readonly name: string;
  readonly description: string;
  /** The time at which the extension was last changed. */
  readonly updated: string;
}

/** @param updated a date, at ten o'clock like most of them; or a time */
export const extension = (
  alias: string,
  name: string,
  description: string,
  updated: string,
): Extension => ({
  alias,
  name,
  description,
  updated: updated.includes('T') ? updated : `${updated}T10:00:00-00:00`,
});

export const POLICY_EXTENSIONS: readonly Extension[] = [
  extension('qos', 'Quality of Service', 'The Quality of Service extension.', '2015-06-08'),
  extension(
    'qos-bw-limit-direction',
    'Direction for QoS bandwidth limit rule',
    'Allow to configure QoS bandwidth limit rule with specific direction: ingress or egress',
    '2017-04-10',
  ),
  extension(
    'qos-bw-minimum-ingress',
    'Ingress direction for QoS minimum bandwidth rule',
    'Allow to configure QoS minumum bandwidth rule with ingress direction.',
    '2018-07-09',
  ),
  extension(
    'qos-default',
    'QoS default policy',
    'Expose the QoS default policy per project',
    '2017-041-06',
  ),
  extension(
    'qos-fip',
    'Floating IP QoS',
    'The floating IP Quality of Service extension',
    '2017-07-20T00:00:00-00:00',
  ),
  extension(
    'qos-gateway-ip',
    'Router gateway IP QoS',
    'The Router gateway IP Quality of Service extension',
    '2018-02-24T00:00:00-00:00',
  ),
  extension(
    'qos-port-network-policy',
    'QoS port network policy ID',
    'Adds a the QoS network ID to the port definition',
    '2019-11-01',
  ),
  extension(
    'qos-pps',
    'QoS Rule Type Packet per Second Extension',
    'Add QoS Rule Type Packet per Second',
    '2021-05-12',
  ),
  extension(
    'qos-pps-minimum',
    'QoS minimum packet rate rule',
    'Allow to configure QoS minimum packet rate rule.',
    '2021-07-14',
  ),
  extension(
    'qos-pps-minimum-rule-alias',
    'QoS minimum packet rate rule alias',
    'API to enable GET, PUT and DELETE operations on QoS minimum packet rate rule without specifying policy ID',
    '2021-10-22',
  ),
  extension(
    'qos-rule-type-details',
    'Details of QoS rule types',
    'Expose details about QoS rule types supported by loaded backend drivers',
    '2017-06-22',
  ),
  extension(
    'qos-rule-type-filter',
    'Allow to filter the list of QoS rule types',
    'Allows to filter the QoS rule type list adding two new flags. "all_rules" prints all implemented QoS rule types."all_supported" prints all supported QoS rule types by the loaded mechanism drivers',
    '2022-02-02',
  ),
  extension(
    'qos-rules-alias',
    'Quality of Service rules alias API',
    'API to enable GET, PUT and DELETE operations on QoS policy rules without specifying policy ID',
    '2018-10-07',
  ),
  extension(
    'rbac-address-group',
    'Add address_group type to RBAC',
    'Add address_group type to network RBAC',
    '2021-01-20T00:00:00-00:00',
  ),
  extension(
    'rbac-address-scope',
    'Add address_scope type to RBAC',
    'Add address_scope type to RBAC',
    '2020-02-12T00:00:00-00:00',
  ),
  extension(
    'rbac-policies',
    'RBAC Policies',
    'Allows creation and modification of policies that control project access to resources.',
    '2015-06-17T12:15:12-00:00',
  ),
  extension(
    'rbac-security-groups',
    'Add security_group type to network RBAC',
    'Add security_group type to network RBAC',
    '2019-02-14T00:00:00-00:00',
  ),
  extension(
    'rbac-subnetpool',
    'Add subnetpool type to RBAC',
    'Add subnetpool type to RBAC',
    '2020-02-05T00:00:00-00:00',
  ),
  extension('security-group', 'security-group', 'The security groups extension.', '2012-10-05'),
  extension(
    'security-groups-default-rules',
    'Default rules for security groups',
    'Configure set of security group rules used as default rules for every new security group',
    '2022-12-19',
  ),
  extension(
    'security-groups-default-statefulness',
    'Security Groups Default Statefulness',
    "Allows configuring the default value of the 'stateful' attribute for new security groups, on a per-project or system-wide basis",
    '2026-04-13T00:00:00-00:00',
  ),
  extension(
    'security-groups-normalized-cidr',
    'Normalized CIDR field for security group rules',
    'Add new field with normalized cidr calculated from remote_ip_prefix field',
    '2021-06-11',
  ),
  extension(
    'security-groups-remote-address-group',
    'Remote address group id field for security group rules',
    'Add new field of remote address group id in SG rules',
    '2020-08-25',
  ),
  extension(
    'security-groups-shared-filtering',
    'Security group filtering on the shared field',
    'Support filtering security groups on the shared field',
    '2021-10-05T09:00:00-00:00',
  ),
  extension(
    'stateful-security-group',
    'Stateful security group',
    'Indicates if the security group is stateful or not',
    '2019-11-26T09:00:00-00:00',
  ),
];
