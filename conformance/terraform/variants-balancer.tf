# Parts of a balancer in other protocols, and what the second round turns off.

resource "openstack_networking_port_v2" "vip" {
  name       = "tf-vip"
  network_id = openstack_networking_network_v2.inside.id

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.inside.id
    ip_address = "10.70.0.150"
  }

  lifecycle {
    ignore_changes = [device_id, device_owner, security_group_ids, no_security_groups]
  }
}

resource "openstack_lb_loadbalancer_v2" "variant" {
  name           = "tf-variant"
  description    = local.about
  vip_port_id    = openstack_networking_port_v2.vip.id
  flavor_id      = openstack_lb_flavor_v2.single.id
  admin_state_up = !local.is_second
  tags           = local.is_second ? [] : ["z", "b"]
}

resource "openstack_lb_listener_v2" "dns" {
  name             = "tf-dns"
  protocol         = "TCP"
  protocol_port    = 53
  loadbalancer_id  = openstack_lb_loadbalancer_v2.variant.id
  default_pool_id  = local.is_second ? openstack_lb_pool_v2.dns.id : ""
  connection_limit = local.is_second ? 200 : -1
  allowed_cidrs    = local.is_second ? [] : ["10.70.0.0/16"]
}

resource "openstack_lb_listener_v2" "timed" {
  protocol               = "TCP"
  protocol_port          = 443
  loadbalancer_id        = openstack_lb_loadbalancer_v2.variant.id
  timeout_client_data    = local.is_second ? 40000 : 30000
  timeout_member_connect = 4000
  timeout_member_data    = 45000
  timeout_tcp_inspect    = 100
  admin_state_up         = !local.is_second
}

resource "openstack_lb_pool_v2" "dns" {
  protocol        = "TCP"
  lb_method       = "ROUND_ROBIN"
  loadbalancer_id = openstack_lb_loadbalancer_v2.variant.id
  description     = local.is_second ? "" : "of names"
}

resource "openstack_lb_monitor_v2" "dns" {
  pool_id          = openstack_lb_pool_v2.dns.id
  type             = "TCP"
  delay            = 6
  timeout          = 3
  max_retries      = 2
  max_retries_down = local.is_second ? 4 : 3
  admin_state_up   = !local.is_second
}

resource "openstack_lb_pool_v2" "sticky" {
  protocol    = "HTTPS"
  lb_method   = "LEAST_CONNECTIONS"
  listener_id = openstack_lb_listener_v2.timed.id

  persistence {
    type = "SOURCE_IP"
  }
}

resource "openstack_lb_monitor_v2" "sticky" {
  pool_id        = openstack_lb_pool_v2.sticky.id
  type           = "HTTPS"
  delay          = 6
  timeout        = 3
  max_retries    = 2
  http_version   = "1.1"
  domain_name    = local.is_second ? "b.example.org" : "a.example.org"
  expected_codes = "200,204"
}

resource "openstack_lb_member_v2" "spare" {
  pool_id         = openstack_lb_pool_v2.sticky.id
  address         = "10.70.0.77"
  protocol_port   = 443
  weight          = 0
  backup          = !local.is_second
  monitor_address = "10.70.0.78"
  monitor_port    = 8443
  admin_state_up  = local.is_second
}

resource "openstack_lb_l7policy_v2" "to_pool" {
  action           = local.is_second ? "REJECT" : "REDIRECT_TO_POOL"
  redirect_pool_id = local.is_second ? null : openstack_lb_pool_v2.web.id
  position         = 2
  listener_id      = openstack_lb_listener_v2.web.id
  depends_on       = [openstack_lb_l7policy_v2.away]
}

resource "openstack_lb_l7policy_v2" "prefix" {
  action             = "REDIRECT_PREFIX"
  redirect_prefix    = "https://${var.round}.example.org"
  redirect_http_code = 307
  position           = 3
  admin_state_up     = !local.is_second
  listener_id        = openstack_lb_listener_v2.web.id
  depends_on         = [openstack_lb_l7policy_v2.to_pool]
}

resource "openstack_lb_l7rule_v2" "variants" {
  for_each = {
    HEADER = ["X-Round", "REGEX", "^[a-z]+$"]
    COOKIE = ["round", "CONTAINS", var.round]
  }
  l7policy_id  = openstack_lb_l7policy_v2.prefix.id
  type         = each.key
  key          = each.value[0]
  compare_type = each.value[1]
  value        = each.value[2]
  invert       = local.is_second
}
