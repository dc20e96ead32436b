# Its own update would set the groups of its port again, as Octavia's does.
resource "openstack_lb_loadbalancer_v2" "web" {
  name               = "tf-web"
  vip_subnet_id      = openstack_networking_subnet_v2.inside.id
  security_group_ids = [openstack_networking_secgroup_v2.web.id]
  tags               = ["lb", "a"]
}

resource "openstack_lb_listener_v2" "web" {
  name            = "tf-web"
  description     = local.about
  protocol        = "HTTP"
  protocol_port   = 80
  loadbalancer_id = openstack_lb_loadbalancer_v2.web.id
  allowed_cidrs   = ["10.70.0.0/16", "10.0.0.0/16"]
  tags            = ["listener", "a"]

  insert_headers = {
    X-Forwarded-For = "true"
  }
}

resource "openstack_lb_pool_v2" "web" {
  name            = "tf-web"
  protocol        = "HTTP"
  lb_method       = local.is_second ? "LEAST_CONNECTIONS" : "ROUND_ROBIN"
  loadbalancer_id = openstack_lb_loadbalancer_v2.web.id
  tags            = ["pool"]

  persistence {
    type        = "APP_COOKIE"
    cookie_name = "session"
  }
}

resource "openstack_lb_member_v2" "web" {
  name          = "tf-web"
  pool_id       = openstack_lb_pool_v2.web.id
  address       = "10.70.0.25"
  protocol_port = 8080
  subnet_id     = openstack_networking_subnet_v2.inside.id
  weight        = local.is_second ? 3 : 2
  tags          = ["member"]
}

resource "openstack_lb_monitor_v2" "web" {
  name           = "tf-web"
  pool_id        = openstack_lb_pool_v2.web.id
  type           = "HTTP"
  delay          = 5
  timeout        = 3
  max_retries    = 2
  url_path       = "/health"
  http_method    = "HEAD"
  expected_codes = "200-204"
}

resource "openstack_lb_pool_v2" "batch" {
  name            = "tf-batch"
  protocol        = "TCP"
  lb_method       = "SOURCE_IP"
  loadbalancer_id = openstack_lb_loadbalancer_v2.web.id
}

resource "openstack_lb_members_v2" "batch" {
  pool_id = openstack_lb_pool_v2.batch.id

  member {
    address       = "10.70.0.31"
    protocol_port = 81
    subnet_id     = openstack_networking_subnet_v2.inside.id
  }

  member {
    address       = "10.70.0.30"
    protocol_port = 81
    weight        = local.is_second ? 5 : 1
    subnet_id     = openstack_networking_subnet_v2.inside.id
  }
}

resource "openstack_lb_monitor_v2" "batch" {
  pool_id     = openstack_lb_pool_v2.batch.id
  type        = "TCP"
  delay       = 5
  timeout     = 3
  max_retries = 2
}

resource "openstack_lb_l7policy_v2" "away" {
  name         = "tf-away"
  description  = local.about
  action       = "REDIRECT_TO_URL"
  redirect_url = "http://www.example.org/"
  position     = 1
  listener_id  = openstack_lb_listener_v2.web.id
}

resource "openstack_lb_l7rule_v2" "away" {
  l7policy_id  = openstack_lb_l7policy_v2.away.id
  type         = "PATH"
  compare_type = "STARTS_WITH"
  value        = "/${var.round}"
}

resource "openstack_lb_flavorprofile_v2" "single" {
  name          = "tf-single"
  provider_name = "haproxy"
  flavor_data   = jsonencode({ loadbalancer_topology = "SINGLE" })
}

resource "openstack_lb_flavor_v2" "single" {
  name              = "tf-single"
  description       = local.about
  flavor_profile_id = openstack_lb_flavorprofile_v2.single.id
}

resource "openstack_lb_quota_v2" "team" {
  project_id   = openstack_identity_project_v3.team.id
  loadbalancer = local.is_second ? 4 : 3
  listener     = 5
  pool         = 6
  member       = 7
}
