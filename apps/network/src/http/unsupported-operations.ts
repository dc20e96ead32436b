/**
 * Operations of Neutron's API and its extensions for which there is no engine here. Each is refused
 * by its name. Public source: Networking API reference.
 */
import type { UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';

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
    of: 'Bgp peers',
    under: '/v2.0/bgp-peers',
    operations: {
      'GET ': 'list BGP Peers',
      'GET /{bgp_peer_id}': 'show BGP Peer details',
      'POST ': 'create a BGP Peer',
      'PUT /{bgp_peer_id}': 'update a BGP Peer',
      'DELETE /{bgp_peer_id}': 'delete a BGP Peer',
    },
  },
  {
    of: 'Bgp speakers',
    under: '/v2.0/bgp-speakers',
    operations: {
      'GET ': 'list BGP Speakers',
      'GET /{bgp_speaker_id}': 'show BGP Speaker details',
      'POST ': 'create BGP Speaker',
      'PUT /{bgp_speaker_id}': 'update a BGP Speaker',
      'DELETE /{bgp_speaker_id}': 'delete a BGP Speaker',
      'PUT /{bgp_speaker_id}/add_bgp_peer': 'add BGP Peer to a BGP Speaker',
      'PUT /{bgp_speaker_id}/remove_bgp_peer': 'remove BGP Peer from a BGP Speaker',
      'PUT /{bgp_speaker_id}/add_gateway_network': 'add Network to a BGP Speaker',
      'PUT /{bgp_speaker_id}/remove_gateway_network': 'delete Network from a BGP Speaker',
      'GET /{bgp_speaker_id}/get_advertised_routes': 'list routes advertised by a BGP Speaker',
      'GET /{bgp_speaker_id}/bgp-dragents':
        'list Dynamic Routing Agents hosting a specific BGP Speaker',
    },
  },
  {
    of: 'Bgpvpn bgpvpns',
    under: '/v2.0/bgpvpn/bgpvpns',
    operations: {
      'GET ': 'list BGP VPNs',
      'POST ': 'create BGP VPNS',
      'GET /{bgpvpn_id}': 'show BGP VPN details',
      'PUT /{bgpvpn_id}': 'update a BGP VPN',
      'DELETE /{bgpvpn_id}': 'delete BGP VPN',
      'GET /{bgpvpn_id}/network_associations': 'list Network Associations',
      'POST /{bgpvpn_id}/network_associations': 'create Network Association',
      'GET /{bgpvpn_id}/network_associations/{network_association_id}':
        'show Network Association details',
      'DELETE /{bgpvpn_id}/network_associations/{network_association_id}':
        'delete Network Association',
      'GET /{bgpvpn_id}/port_associations': 'list Port Associations',
      'POST /{bgpvpn_id}/port_associations': 'create Port Association',
      'GET /{bgpvpn_id}/port_associations/{port_association_id}': 'show Port Association details',
      'PUT /{bgpvpn_id}/port_associations/{port_association_id}': 'update a Port Association',
      'DELETE /{bgpvpn_id}/port_associations/{port_association_id}': 'delete Port Association',
      'GET /{bgpvpn_id}/router_associations': 'list Router Associations',
      'POST /{bgpvpn_id}/router_associations': 'create Router Association',
      'GET /{bgpvpn_id}/router_associations/{router_association_id}':
        'show Router Association details',
      'PUT /{bgpvpn_id}/router_associations/{router_association_id}':
        'update a Router Association (bgpvpn-routes-control)',
      'DELETE /{bgpvpn_id}/router_associations/{router_association_id}':
        'delete Router Association',
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
    of: 'Fwaas firewall groups',
    under: '/v2.0/fwaas/firewall_groups',
    operations: {
      'GET ': 'list firewall groups',
      'GET /{firewall_group_id}': 'show firewall group details',
      'POST ': 'create firewall group',
      'PUT /{firewall_group_id}': 'update firewall group',
      'DELETE /{firewall_group_id}': 'delete firewall group',
    },
  },
  {
    of: 'Fwaas firewall policies',
    under: '/v2.0/fwaas/firewall_policies',
    operations: {
      'GET ': 'list firewall policies',
      'GET /{firewall_policy_id}': 'show firewall policy details',
      'POST ': 'create firewall policy',
      'PUT /{firewall_policy_id}': 'update firewall policy',
      'DELETE /{firewall_policy_id}': 'delete firewall policy',
      'PUT /{firewall_policy_id}/insert_rule': 'insert rule into a firewall policy',
      'PUT /{firewall_policy_id}/remove_rule': 'remove rule from firewall policy',
    },
  },
  {
    of: 'Fwaas firewall rules',
    under: '/v2.0/fwaas/firewall_rules',
    operations: {
      'GET ': 'list firewall rules',
      'GET /{firewall_rule_id}': 'show firewall rule details',
      'POST ': 'create firewall rule',
      'PUT /{firewall_rule_id}': 'update firewall rule',
      'DELETE /{firewall_rule_id}': 'delete firewall rule',
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
  {
    of: 'Sfc port chains',
    under: '/v1.0/sfc/port_chains',
    operations: {
      'GET ': 'list Port Chains',
      'POST ': 'create Port Chain',
      'GET /{port_chain_id}': 'show Port Chain Details',
      'PUT /{port_chain_id}': 'update Port Chain',
    },
  },
  {
    of: 'Sfc port chains',
    under: '/v1.0/sfc/port-chains',
    operations: {
      'DELETE /{port_chain_id}': 'delete Port Chain',
    },
  },
  {
    of: 'Sfc flow classifiers',
    under: '/v1.0/sfc/flow_classifiers',
    operations: {
      'GET ': 'list Flow Classifiers',
      'POST ': 'create Flow Classifier',
      'GET /{flow_classifier_id}': 'show Flow Classifier Details',
      'PUT /{flow_classifier_id}': 'update Flow Classifier',
    },
  },
  {
    of: 'Sfc flow classifiers',
    under: '/v1.0/sfc/flow-classifiers',
    operations: {
      'DELETE /{flow_classifier_id}': 'delete Flow Classifier',
    },
  },
  {
    of: 'Sfc port pair groups',
    under: '/v1.0/sfc/port_pair_groups',
    operations: {
      'GET ': 'list Port Pair Groups',
      'POST ': 'create Port Pair Group',
      'GET /{port_pair_group_id}': 'show Port Pair Group Details',
      'PUT /{port_pair_group_id}': 'update Port Pair Group',
    },
  },
  {
    of: 'Sfc port pair groups',
    under: '/v1.0/sfc/port-pair-groups',
    operations: {
      'DELETE /{port_pair_group_id}': 'delete Port Pair Group',
    },
  },
  {
    of: 'Sfc port pairs',
    under: '/v1.0/sfc/port_pairs',
    operations: {
      'GET ': 'list Port Pairs',
      'POST ': 'create Port Pair',
      'GET /{port_pair_id}': 'show Port Pair Details',
      'PUT /{port_pair_id}': 'update Port Pair',
    },
  },
  {
    of: 'Sfc port pairs',
    under: '/v1.0/sfc/port-pairs',
    operations: {
      'DELETE /{port_pair_id}': 'delete Port Pair',
    },
  },
  {
    of: 'Sfc service graphs',
    under: '/v1.0/sfc/service_graphs',
    operations: {
      'GET ': 'list Service Graphs',
      'POST ': 'create Service Graph',
      'GET /{sfc_service_graph_id_path}': 'show Service Graph Details',
      'PUT /{sfc_service_graph_id_path}': 'update Service Graph',
      'DELETE /{sfc_service_graph_id_path}': 'delete Service Graph',
    },
  },
  {
    of: 'Taas tap services',
    under: '/v2.0/taas/tap_services',
    operations: {
      'GET ': 'list Tap Services',
      'POST ': 'create Tap Service',
      'PUT /{tap_service_id/name}': 'update Tap Service',
      'DELETE /{tap_service_id/name}': 'delete Tap Service',
      'GET /{tap_service_id/name}': 'show Tap Service',
    },
  },
  {
    of: 'Taas tap flows',
    under: '/v2.0/taas/tap_flows',
    operations: {
      'GET ': 'list Tap Flow',
      'POST ': 'create Tap Flow',
      'PUT /{taf_service_id/name}': 'update Tap Flow',
      'DELETE /{tap_service_id/name}': 'delete Tap Flow',
      'GET /{tap_flows_id/name}': 'show Tap Flow',
    },
  },
  {
    of: 'Taas tap mirrors',
    under: '/v2.0/taas/tap_mirrors',
    operations: {
      'GET ': 'list Tap Mirrors',
      'POST ': 'create Tap Mirror',
      'PUT /{tap_mirror_id}': 'update Tap Mirror',
      'DELETE /{tap_mirror_id}': 'delete Tap Mirror',
      'GET /{tap_mirror_id}': 'show Tap Mirror',
    },
  },
  {
    of: 'Vpn ikepolicies',
    under: '/v2.0/vpn/ikepolicies',
    operations: {
      'GET ': 'list IKE policies',
      'POST ': 'create IKE policy',
      'GET /{ikepolicy_id}': 'show IKE policy details',
      'PUT /{ikepolicy_id}': 'update IKE policy',
      'DELETE /{ikepolicy_id}': 'remove IKE policy',
    },
  },
  {
    of: 'Vpn ipsecpolicies',
    under: '/v2.0/vpn/ipsecpolicies',
    operations: {
      'GET ': 'list IPsec policies',
      'POST ': 'create IPsec policy',
      'GET /{ipsecpolicy_id}': 'show IPsec policy',
      'PUT /{ipsecpolicy_id}': 'update IPsec policy',
      'DELETE /{ipsecpolicy_id}': 'remove IPsec policy',
    },
  },
  {
    of: 'Vpn ipsec site connections',
    under: '/v2.0/vpn/ipsec-site-connections',
    operations: {
      'GET ': 'list IPsec connections',
      'POST ': 'create IPsec connection',
      'GET /{connection_id}': 'show IPsec connection',
      'PUT /{connection_id}': 'update IPsec connection',
      'DELETE /{connection_id}': 'remove IPsec connection',
    },
  },
  {
    of: 'Vpn endpoint groups',
    under: '/v2.0/vpn/endpoint-groups',
    operations: {
      'GET ': 'list VPN endpoint groups',
      'POST ': 'create VPN endpoint group',
      'GET /{endpoint_group_id}': 'show VPN endpoint group',
      'PUT /{endpoint_group_id}': 'update VPN endpoint group',
      'DELETE /{endpoint_group_id}': 'remove VPN endpoint group',
    },
  },
  {
    of: 'Vpn vpnservices',
    under: '/v2.0/vpn/vpnservices',
    operations: {
      'GET ': 'list VPN services',
      'POST ': 'create VPN service',
      'GET /{service_id}': 'show VPN service details',
      'PUT /{service_id}': 'update VPN service',
      'DELETE /{service_id}': 'remove VPN service',
    },
  },
];
