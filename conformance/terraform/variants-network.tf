# What answers differ in: attributes that are left out, given oddly, or taken away by the second round.

resource "openstack_networking_network_v2" "variant" {
  name           = "tf-variant"
  admin_state_up = local.is_second
  dns_domain     = "variant.example.org."
  qos_policy_id  = local.is_second ? openstack_networking_qos_policy_v2.slow.id : ""
}

resource "openstack_networking_subnet_v2" "variant" {
  name            = "tf-variant"
  network_id      = openstack_networking_network_v2.variant.id
  cidr            = "10.72.0.0/24"
  gateway_ip      = "10.72.0.254"
  enable_dhcp     = !local.is_second
  service_types   = ["compute:nova", "network:floatingip"]
  dns_nameservers = local.is_second ? [] : ["192.0.2.54", "192.0.2.53"]

  allocation_pool {
    start = "10.72.0.20"
    end   = local.is_second ? "10.72.0.109" : "10.72.0.99"
  }
}

resource "openstack_networking_subnet_v2" "stateless" {
  name              = "tf-stateless"
  network_id        = openstack_networking_network_v2.variant.id
  cidr              = "2001:db8:72::/64"
  ip_version        = 6
  ipv6_address_mode = "slaac"
  ipv6_ra_mode      = "slaac"
}

resource "openstack_networking_port_v2" "bare" {
  name               = "tf-bare"
  network_id         = openstack_networking_network_v2.variant.id
  no_security_groups = true
  no_fixed_ip        = true
  mac_address        = "fa:16:3e:00:72:01"
  device_owner       = "tf:appliance"
  device_id          = "tf-appliance-${var.round}"
}

resource "openstack_networking_port_v2" "bound" {
  name                  = "tf-bound"
  network_id            = openstack_networking_network_v2.variant.id
  port_security_enabled = local.is_second
  no_security_groups    = true
  qos_policy_id         = local.is_second ? "" : openstack_networking_qos_policy_v2.slow.id
  dns_name              = "bound"

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.variant.id
  }

  binding {
    vnic_type = "normal"
    profile   = jsonencode({ round = var.round })
  }
}

resource "openstack_networking_port_v2" "paired" {
  name       = "tf-paired"
  network_id = openstack_networking_network_v2.variant.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.stateless.id
  }

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.variant.id
    ip_address = local.is_second ? "10.72.0.9" : "10.72.0.90"
  }

  allowed_address_pairs {
    ip_address  = "10.72.1.0/24"
    mac_address = "fa:16:3e:00:72:02"
  }

  allowed_address_pairs {
    ip_address = "2001:db8:72::10"
  }

  extra_dhcp_option {
    name       = "bootfile-url"
    value      = "tftp://[2001:db8:72::1]/boot"
    ip_version = 6
  }

  extra_dhcp_option {
    name  = "mtu"
    value = local.is_second ? "1300" : "1200"
  }
}

resource "openstack_networking_port_v2" "associated" {
  name       = "tf-associated"
  network_id = openstack_networking_network_v2.variant.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.variant.id
  }

  lifecycle {
    ignore_changes = [security_group_ids]
  }
}

resource "openstack_networking_secgroup_v2" "stateless" {
  name     = "tf-stateless"
  stateful = false
}

resource "openstack_networking_secgroup_rule_v2" "odd" {
  for_each = {
    hosts = ["IPv6", "tcp", "2001:db8:72::7/64"]
    all   = ["IPv4", "tcp", "0.0.0.0/0"]
    sctp  = ["IPv4", "sctp", ""]
    vrrp  = ["IPv4", "112", ""]
    icmp6 = ["IPv6", "ipv6-icmp", "::/0"]
    any   = ["IPv4", "", "10.72.0.9/32"]
  }
  direction         = "ingress"
  ethertype         = each.value[0]
  protocol          = each.value[1]
  remote_ip_prefix  = each.value[2]
  description       = each.key
  security_group_id = openstack_networking_secgroup_v2.stateless.id
}

resource "openstack_networking_port_secgroup_associate_v2" "associated" {
  port_id = openstack_networking_port_v2.associated.id
  enforce = true

  security_group_ids = (local.is_second
    ? [openstack_networking_secgroup_v2.stateless.id]
    : [openstack_networking_secgroup_v2.web.id]
  )
}

resource "openstack_networking_router_v2" "addressed" {
  name                = "tf-addressed"
  admin_state_up      = !local.is_second
  external_network_id = data.openstack_networking_network_v2.outside.id

  external_fixed_ip {
    subnet_id = data.openstack_networking_network_v2.outside.subnets[0]
  }
}

resource "openstack_networking_router_v2" "inner" {
  name        = "tf-inner"
  description = local.is_second ? "" : "of the first round"
}

resource "openstack_networking_router_interface_v2" "variant" {
  router_id = openstack_networking_router_v2.inner.id
  subnet_id = openstack_networking_subnet_v2.variant.id
}

resource "openstack_networking_router_routes_v2" "inner" {
  router_id  = openstack_networking_router_v2.inner.id
  depends_on = [openstack_networking_router_interface_v2.variant]

  routes {
    destination_cidr = "10.97.0.0/16"
    next_hop         = local.is_second ? "10.72.0.7" : "10.72.0.8"
  }

  routes {
    destination_cidr = "10.96.0.0/16"
    next_hop         = "10.72.0.6"
  }
}

resource "openstack_networking_subnetpool_v2" "bounded" {
  name          = "tf-bounded"
  prefixes      = local.is_second ? ["2001:db8:90::/48", "2001:db8:a0::/48"] : ["2001:db8:90::/48"]
  min_prefixlen = 56
  max_prefixlen = 64
  default_quota = 1000
}

resource "openstack_networking_qos_policy_v2" "sure" {
  name   = "tf-sure"
  shared = local.is_second
}

resource "openstack_networking_qos_minimum_bandwidth_rule_v2" "sure" {
  qos_policy_id = openstack_networking_qos_policy_v2.sure.id
  min_kbps      = local.is_second ? 200 : 100
}

resource "openstack_networking_rbac_policy_v2" "variants" {
  for_each = {
    address_group  = openstack_networking_address_group_v2.offices.id
    qos_policy     = openstack_networking_qos_policy_v2.slow.id
    security_group = openstack_networking_secgroup_v2.stateless.id
    subnetpool     = openstack_networking_subnetpool_v2.bounded.id
  }
  action        = "access_as_shared"
  object_id     = each.value
  object_type   = each.key
  target_tenant = openstack_identity_project_v3.team.id
}
