/**
 * Operations of projects that extend Neutron, which are not offered: BGP, VPN, firewalls, service
 * function chaining, traffic mirroring, and the former load balancers. Public source: Networking
 * API reference; openstacksdk, `openstack/network/v2`.
 */
import type { UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';

export const UNSUPPORTED_PLUGINS: readonly UnsupportedGroup[] = [
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
      'PUT /{bgp_speaker_id}/add_gateway_router': 'add Router to a BGP Speaker',
      'PUT /{bgp_speaker_id}/remove_gateway_router': 'delete Router from a BGP Speaker',
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
  // Removed from Neutron, but still in openstacksdk's network client.
  {
    of: 'Lbaas loadbalancers',
    under: '/v2.0/lbaas/loadbalancers',
    operations: {
      'GET ': 'list load balancers',
      'POST ': 'create a load balancer',
      'GET /{loadbalancer_id}': 'show a load balancer',
      'PUT /{loadbalancer_id}': 'update a load balancer',
      'DELETE /{loadbalancer_id}': 'delete a load balancer',
    },
  },
  {
    of: 'Lbaas listeners',
    under: '/v2.0/lbaas/listeners',
    operations: {
      'GET ': 'list listeners',
      'POST ': 'create a listener',
      'GET /{listener_id}': 'show a listener',
      'PUT /{listener_id}': 'update a listener',
      'DELETE /{listener_id}': 'delete a listener',
    },
  },
  {
    of: 'Lbaas pools',
    under: '/v2.0/lbaas/pools',
    operations: {
      'GET ': 'list pools',
      'POST ': 'create a pool',
      'GET /{pool_id}': 'show a pool',
      'PUT /{pool_id}': 'update a pool',
      'DELETE /{pool_id}': 'delete a pool',
      'GET /{pool_id}/members': 'list members of a pool',
      'POST /{pool_id}/members': 'create a member of a pool',
      'GET /{pool_id}/members/{member_id}': 'show a member of a pool',
      'PUT /{pool_id}/members/{member_id}': 'update a member of a pool',
      'DELETE /{pool_id}/members/{member_id}': 'delete a member of a pool',
    },
  },
  {
    of: 'Lbaas healthmonitors',
    under: '/v2.0/lbaas/healthmonitors',
    operations: {
      'GET ': 'list health monitors',
      'POST ': 'create a health monitor',
      'GET /{healthmonitor_id}': 'show a health monitor',
      'PUT /{healthmonitor_id}': 'update a health monitor',
      'DELETE /{healthmonitor_id}': 'delete a health monitor',
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
    of: 'Sfc 2.0 port chains',
    under: '/v2.0/sfc/port_chains',
    operations: {
      'GET ': 'list Port Chains',
      'POST ': 'create Port Chain',
      'GET /{port_chain_id}': 'show Port Chain Details',
      'PUT /{port_chain_id}': 'update Port Chain',
      'DELETE /{port_chain_id}': 'delete Port Chain',
    },
  },
  {
    of: 'Sfc 2.0 flow classifiers',
    under: '/v2.0/sfc/flow_classifiers',
    operations: {
      'GET ': 'list Flow Classifiers',
      'POST ': 'create Flow Classifier',
      'GET /{flow_classifier_id}': 'show Flow Classifier Details',
      'PUT /{flow_classifier_id}': 'update Flow Classifier',
      'DELETE /{flow_classifier_id}': 'delete Flow Classifier',
    },
  },
  {
    of: 'Sfc 2.0 port pair groups',
    under: '/v2.0/sfc/port_pair_groups',
    operations: {
      'GET ': 'list Port Pair Groups',
      'POST ': 'create Port Pair Group',
      'GET /{port_pair_group_id}': 'show Port Pair Group Details',
      'PUT /{port_pair_group_id}': 'update Port Pair Group',
      'DELETE /{port_pair_group_id}': 'delete Port Pair Group',
    },
  },
  {
    of: 'Sfc 2.0 port pairs',
    under: '/v2.0/sfc/port_pairs',
    operations: {
      'GET ': 'list Port Pairs',
      'POST ': 'create Port Pair',
      'GET /{port_pair_id}': 'show Port Pair Details',
      'PUT /{port_pair_id}': 'update Port Pair',
      'DELETE /{port_pair_id}': 'delete Port Pair',
    },
  },
  {
    of: 'Sfc 2.0 service graphs',
    under: '/v2.0/sfc/service_graphs',
    operations: {
      'GET ': 'list Service Graphs',
      'POST ': 'create Service Graph',
      'GET /{service_graph_id}': 'show Service Graph Details',
      'PUT /{service_graph_id}': 'update Service Graph',
      'DELETE /{service_graph_id}': 'delete Service Graph',
    },
  },
  {
    of: 'Taas tap services',
    under: '/v2.0/taas/tap_services',
    operations: {
      'GET ': 'list Tap Services',
      'POST ': 'create Tap Service',
      'PUT /{tap_service_id}': 'update Tap Service',
      'DELETE /{tap_service_id}': 'delete Tap Service',
      'GET /{tap_service_id}': 'show Tap Service',
    },
  },
  {
    of: 'Taas tap flows',
    under: '/v2.0/taas/tap_flows',
    operations: {
      'GET ': 'list Tap Flow',
      'POST ': 'create Tap Flow',
      'PUT /{tap_flow_id}': 'update Tap Flow',
      'DELETE /{tap_flow_id}': 'delete Tap Flow',
      'GET /{tap_flow_id}': 'show Tap Flow',
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
