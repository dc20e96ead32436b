/** Operations that are not offered, each refused by name. Source: Networking API reference. */
import type { UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';
import { UNSUPPORTED_PLUGINS } from './unsupported-plugins.js';

export const UNSUPPORTED_GROUPS: readonly UnsupportedGroup[] = [
  {
    of: 'Agents',
    under: '/v2.0/agents',
    operations: {
      'POST /{bgp_agent_id}/bgp-drinstances': 'add BGP Speaker to a Dynamic Routing Agent',
      'GET /{bgp_dragent_id}/bgp-drinstances':
        'list BGP speakers hosted by a Dynamic Routing Agent',
      'DELETE /{bgp_agent_id}/bgp-drinstances/{bgp_speaker_id}':
        'delete BGP Speaker from a Dynamic Routing Agent',
      'GET /{agent_id}/dhcp-networks': 'list networks hosted by a DHCP agent',
      'POST /{agent_id}/dhcp-networks': 'schedule a network to a DHCP agent',
      'DELETE /{agent_id}/dhcp-networks/{network_id}': 'remove network from a DHCP agent',
      'GET /{agent_id}/l3-routers': 'list routers hosted by an L3 agent',
      'POST /{agent_id}/l3-routers': 'schedule router to an l3 agent',
      'DELETE /{agent_id}/l3-routers/{router_id}': 'remove l3 router from an l3 agent',
    },
  },
  {
    of: 'Flavors',
    under: '/v2.0/flavors',
    operations: {
      'GET ': 'list flavors',
      'POST ': 'create flavor',
      'GET /{flavor_id}': 'show flavor details',
      'PUT /{flavor_id}': 'update flavor',
      'DELETE /{flavor_id}': 'delete flavor',
      'POST /{flavor_id}/service_profiles': 'associate flavor with a service profile',
      'DELETE /{flavor_id}/service_profiles/{profile_id}': 'disassociate a flavor.',
    },
  },
  {
    of: 'Service profiles',
    under: '/v2.0/service_profiles',
    operations: {
      'GET ': 'list service profiles',
      'POST ': 'create service profile',
      'GET /{profile_id}': 'show service profile details',
      'PUT /{profile_id}': 'update service profile',
      'DELETE /{profile_id}': 'delete service profile',
    },
  },
  {
    of: 'Routers',
    under: '/v2.0/routers',
    operations: {
      'GET /{router_id}/l3-agents': 'list L3 agents hosting a router',
      'GET /{router_id}/conntrack_helpers/{conntrack_helper_id}': 'show conntrack helper',
      'PUT /{router_id}/conntrack_helpers/{conntrack_helper_id}': 'update a conntrack helper',
      'DELETE /{router_id}/conntrack_helpers/{conntrack_helper_id}': 'delete a conntrack helper',
      'GET /{router_id}/conntrack_helpers': 'list router conntrack helpers',
      'POST /{router_id}/conntrack_helpers': 'create conntrack helper',
    },
  },
  {
    of: 'Local ips',
    under: '/v2.0/local_ips',
    operations: {
      'GET ': 'list Local IPs',
      'POST ': 'create Local IP',
      'GET /{local_ip_id}': 'show Local IP details',
      'PUT /{local_ip_id}': 'update Local IP',
      'DELETE /{local_ip_id}': 'delete Local IP',
      'GET /{local_ip_id}/port_associations': 'list Local IP Associations',
      'POST /{local_ip_id}/port_associations': 'create Local IP Association',
      'DELETE /{local_ip_id}/port_associations/{fixed_port_id}': 'delete Local IP Association',
    },
  },
  {
    of: 'Log logs',
    under: '/v2.0/log/logs',
    operations: {
      'GET ': 'list logs',
      'POST ': 'create log',
      'GET /{log_id}': 'show log',
      'PUT /{log_id}': 'update log',
      'DELETE /{log_id}': 'delete log',
    },
  },
  {
    of: 'Log loggable resources',
    under: '/v2.0/log/loggable-resources',
    operations: {
      'GET ': 'list loggable resources',
    },
  },
  {
    of: 'Metering metering labels',
    under: '/v2.0/metering/metering-labels',
    operations: {
      'GET ': 'list metering labels',
      'POST ': 'create metering label',
      'GET /{metering_label_id}': 'show metering label details',
      'DELETE /{metering_label_id}': 'delete metering label',
    },
  },
  {
    of: 'Metering metering label rules',
    under: '/v2.0/metering/metering-label-rules',
    operations: {
      'GET ': 'list metering label rules',
      'POST ': 'create metering label rule',
      'GET /{metering_label_rule_id}': 'show metering label rule details',
      'DELETE /{metering_label_rule_id}': 'delete metering label rule',
    },
  },
  {
    of: 'Network segment ranges',
    under: '/v2.0/network_segment_ranges',
    operations: {
      'GET /{network_segment_range_id}': 'show network segment range details',
      'PUT /{network_segment_range_id}': 'update network segment range',
      'DELETE /{network_segment_range_id}': 'delete network segment range',
      'GET ': 'list network segment ranges',
      'POST ': 'create network segment range',
    },
  },
  {
    of: 'Networks',
    under: '/v2.0/networks',
    operations: {
      'GET /{network_id}/dhcp-agents': 'list DHCP agents hosting a network',
    },
  },
  {
    of: 'Ndp proxies',
    under: '/v2.0/ndp_proxies',
    operations: {
      'GET ': 'list ndp proxies',
      'GET /{ndp_proxy_id}': 'show ndp proxy details',
      'PUT /{ndp_proxy_id}': 'update a ndp proxy',
      'POST ': 'create ndp proxy',
      'DELETE /{ndp_proxy_id}': 'delete a ndp proxy',
    },
  },
  ...UNSUPPORTED_PLUGINS,
];
