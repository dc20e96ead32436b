resource "openstack_networking_addressscope_v2" "private" {
  name       = "tf-private"
  ip_version = 4
  shared     = false
}

resource "openstack_networking_subnetpool_v2" "private" {
  name              = "tf-private"
  description       = local.about
  prefixes          = ["10.80.0.0/16"]
  default_prefixlen = 24
  address_scope_id  = openstack_networking_addressscope_v2.private.id
  tags              = ["b", "a"]
}

resource "openstack_networking_network_v2" "inside" {
  name           = "tf-inside"
  description    = local.about
  admin_state_up = true
  tags           = ["net", "tf"]
}

resource "openstack_networking_subnet_v2" "inside" {
  name            = "tf-inside"
  network_id      = openstack_networking_network_v2.inside.id
  cidr            = "10.70.0.0/24"
  description     = local.about
  dns_nameservers = local.is_second ? ["192.0.2.54", "192.0.2.53"] : ["192.0.2.53"]
  tags            = ["sub", "tf"]

  allocation_pool {
    start = "10.70.0.100"
    end   = "10.70.0.199"
  }

  allocation_pool {
    start = "10.70.0.20"
    end   = "10.70.0.29"
  }
}

resource "openstack_networking_subnet_v2" "six" {
  name              = "tf-six"
  network_id        = openstack_networking_network_v2.inside.id
  cidr              = "2001:db8:70::/64"
  ip_version        = 6
  ipv6_address_mode = "dhcpv6-stateful"
  ipv6_ra_mode      = "dhcpv6-stateful"
}

resource "openstack_networking_subnet_v2" "pooled" {
  name          = "tf-pooled"
  network_id    = openstack_networking_network_v2.other.id
  subnetpool_id = openstack_networking_subnetpool_v2.private.id
  prefix_length = 26
}

resource "openstack_networking_subnet_v2" "pair" {
  name        = "tf-pair"
  network_id  = openstack_networking_network_v2.pair.id
  cidr        = "10.71.0.0/31"
  enable_dhcp = false
  no_gateway  = true
}

resource "openstack_networking_subnet_route_v2" "inside" {
  subnet_id        = openstack_networking_subnet_v2.inside.id
  destination_cidr = "10.99.0.0/16"
  next_hop         = "10.70.0.9"
}

resource "openstack_networking_network_v2" "pair" {
  name = "tf-pair"
}

resource "openstack_networking_network_v2" "other" {
  name                  = "tf-other"
  port_security_enabled = false
  mtu                   = 1400
}

resource "openstack_networking_router_v2" "edge" {
  name                = "tf-edge"
  description         = local.about
  external_network_id = data.openstack_networking_network_v2.outside.id
  enable_snat         = !local.is_second
  tags                = ["edge", "a"]
}

resource "openstack_networking_router_interface_v2" "inside" {
  router_id = openstack_networking_router_v2.edge.id
  subnet_id = openstack_networking_subnet_v2.inside.id
}

resource "openstack_networking_router_interface_v2" "pooled" {
  router_id = openstack_networking_router_v2.edge.id
  port_id   = openstack_networking_port_v2.gateway.id
}

resource "openstack_networking_router_route_v2" "elsewhere" {
  router_id        = openstack_networking_router_v2.edge.id
  destination_cidr = "10.98.0.0/16"
  next_hop         = "10.70.0.8"
  depends_on       = [openstack_networking_router_interface_v2.inside]
}

resource "openstack_networking_port_v2" "gateway" {
  name       = "tf-gateway"
  network_id = openstack_networking_network_v2.other.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.pooled.id
  }
}

resource "openstack_networking_secgroup_v2" "web" {
  name                 = "tf-web"
  description          = local.about
  delete_default_rules = true
  tags                 = ["web", "tf"]
}

resource "openstack_networking_secgroup_rule_v2" "ssh" {
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 22
  port_range_max    = 22
  remote_ip_prefix  = "10.70.0.7/24"
  security_group_id = openstack_networking_secgroup_v2.web.id
}

resource "openstack_networking_secgroup_rule_v2" "ping" {
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 8
  port_range_max    = 0
  security_group_id = openstack_networking_secgroup_v2.web.id
}

resource "openstack_networking_secgroup_rule_v2" "peers" {
  direction         = "egress"
  ethertype         = "IPv6"
  remote_group_id   = openstack_networking_secgroup_v2.web.id
  security_group_id = openstack_networking_secgroup_v2.web.id
}

resource "openstack_networking_secgroup_rule_v2" "offices" {
  direction               = "ingress"
  ethertype               = "IPv4"
  protocol                = "udp"
  port_range_min          = 53
  port_range_max          = 53
  remote_address_group_id = openstack_networking_address_group_v2.offices.id
  security_group_id       = openstack_networking_secgroup_v2.web.id
}

resource "openstack_networking_address_group_v2" "offices" {
  name        = "tf-offices"
  description = local.about
  addresses   = local.is_second ? ["192.0.2.128/25", "192.0.2.0/26"] : ["192.0.2.0/26"]
}

resource "openstack_networking_port_v2" "web" {
  name               = "tf-web"
  description        = local.about
  network_id         = openstack_networking_network_v2.inside.id
  admin_state_up     = true
  security_group_ids = [openstack_networking_secgroup_v2.web.id]
  tags               = ["port", "tf"]

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.inside.id
    ip_address = "10.70.0.25"
  }

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.inside.id
    ip_address = "10.70.0.120"
  }

  allowed_address_pairs {
    ip_address = "10.70.0.200"
  }

  extra_dhcp_option {
    name  = "domain-name"
    value = "example.org"
  }

  depends_on = [openstack_networking_subnet_v2.six]
}

resource "openstack_networking_floatingip_v2" "web" {
  pool        = var.external_network
  description = local.about
  tags        = ["fip"]
  subnet_ids  = data.openstack_networking_network_v2.outside.subnets
}

resource "openstack_networking_floatingip_associate_v2" "web" {
  floating_ip = openstack_networking_floatingip_v2.web.address
  port_id     = openstack_networking_port_v2.web.id
  fixed_ip    = "10.70.0.25"
  depends_on  = [openstack_networking_router_interface_v2.inside]
}

resource "openstack_networking_floatingip_v2" "forwarded" {
  pool = var.external_network
}

resource "openstack_networking_portforwarding_v2" "ssh" {
  floatingip_id       = openstack_networking_floatingip_v2.forwarded.id
  external_port       = 2222
  internal_port       = 22
  internal_port_id    = openstack_networking_port_v2.plain.id
  internal_ip_address = "10.70.0.130"
  protocol            = "tcp"
  description         = local.about
  depends_on          = [openstack_networking_router_interface_v2.inside]
}

resource "openstack_networking_port_v2" "plain" {
  name           = "tf-plain"
  network_id     = openstack_networking_network_v2.inside.id
  admin_state_up = true

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.inside.id
    ip_address = "10.70.0.130"
  }
}

resource "openstack_networking_port_v2" "trunk" {
  name           = "tf-trunk"
  network_id     = openstack_networking_network_v2.inside.id
  admin_state_up = true
}

resource "openstack_networking_port_v2" "subport" {
  name           = "tf-subport"
  network_id     = openstack_networking_network_v2.other.id
  admin_state_up = true

  depends_on = [openstack_networking_subnet_v2.pooled]
}

resource "openstack_networking_trunk_v2" "trunk" {
  name           = "tf-trunk"
  description    = local.about
  admin_state_up = true
  port_id        = openstack_networking_port_v2.trunk.id

  sub_port {
    port_id           = openstack_networking_port_v2.subport.id
    segmentation_id   = 7
    segmentation_type = "vlan"
  }
}

resource "openstack_networking_rbac_policy_v2" "team" {
  action        = "access_as_shared"
  object_id     = openstack_networking_network_v2.other.id
  object_type   = "network"
  target_tenant = openstack_identity_project_v3.team.id
}

resource "openstack_networking_qos_policy_v2" "slow" {
  name        = "tf-slow"
  description = local.about
  tags        = ["qos"]
}

resource "openstack_networking_qos_bandwidth_limit_rule_v2" "slow" {
  qos_policy_id  = openstack_networking_qos_policy_v2.slow.id
  max_kbps       = local.is_second ? 4000 : 3000
  max_burst_kbps = 300
  direction      = "egress"
}

resource "openstack_networking_qos_dscp_marking_rule_v2" "slow" {
  qos_policy_id = openstack_networking_qos_policy_v2.slow.id
  dscp_mark     = 26
}

resource "openstack_networking_quota_v2" "team" {
  project_id     = openstack_identity_project_v3.team.id
  network        = local.is_second ? 6 : 5
  subnet         = 7
  port           = 70
  router         = 2
  floatingip     = 3
  security_group = 9
}
