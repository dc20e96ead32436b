# Servers, images, users and secrets with other attributes than the plainest.

resource "openstack_identity_user_v3" "variant" {
  name                                  = "tf-variant"
  enabled                               = !local.is_second
  password                              = "tf-Passw0rd-${var.round}"
  ignore_change_password_upon_first_use = true
  ignore_password_expiry                = local.is_second
  ignore_lockout_failure_attempts       = true
  multi_factor_auth_enabled             = true

  multi_factor_auth_rule {
    rule = ["password", "totp"]
  }

  multi_factor_auth_rule {
    rule = ["password"]
  }
}

resource "openstack_identity_project_v3" "domain" {
  name      = "tf-domain"
  is_domain = true
  enabled   = !local.is_second
}

resource "openstack_identity_project_v3" "below" {
  name      = "tf-below"
  parent_id = openstack_identity_project_v3.team.id
  enabled   = local.is_second
}

resource "openstack_identity_endpoint_v3" "inside" {
  name            = "tf-weather"
  service_id      = openstack_identity_service_v3.weather.id
  interface       = local.is_second ? "internal" : "admin"
  endpoint_region = "RegionOne"
  url             = "http://weather.example.org/%(tenant_id)s"
}

resource "openstack_identity_service_v3" "off" {
  name    = "tf-off"
  type    = "weather-of-old"
  enabled = local.is_second
}

resource "openstack_identity_application_credential_v3" "ending" {
  name         = "tf-ending"
  unrestricted = true
  expires_at   = "2099-02-13T12:12:12Z"
}

resource "openstack_images_image_v2" "hidden" {
  name             = "tf-hidden"
  local_file_path  = var.image_file
  container_format = "bare"
  disk_format      = "raw"
  min_disk_gb      = local.is_second ? 2 : 1
  hidden           = local.is_second
  protected        = !local.is_second
  visibility       = local.is_second ? "community" : "private"
  tags             = local.is_second ? [] : ["hidden"]

  properties = local.is_second ? {
    architecture = "x86_64"
    } : {
    architecture = "x86_64"
    os_version   = "1"
  }
}

resource "openstack_compute_flavor_v2" "wide" {
  flavor_id   = "tf-wide"
  name        = "tf-wide"
  description = local.about
  ram         = 256
  vcpus       = 2
  disk        = 1
  is_public   = true
}

resource "openstack_compute_flavor_v2" "swapping" {
  name         = "tf-swapping"
  ram          = 256
  vcpus        = 1
  disk         = 1
  swap         = 64
  ephemeral    = 1
  rx_tx_factor = 2
}

resource "openstack_compute_servergroup_v2" "bounded" {
  name     = "tf-bounded"
  policies = ["anti-affinity"]

  rules {
    max_server_per_host = 3
  }
}

resource "openstack_compute_instance_v2" "resized" {
  name            = "tf-resized"
  image_id        = openstack_images_image_v2.small.id
  flavor_id       = local.is_second ? openstack_compute_flavor_v2.wide.id : openstack_compute_flavor_v2.small.id
  security_groups = local.is_second ? [openstack_networking_secgroup_v2.stateless.name] : ["default"]
  power_state     = local.is_second ? "shutoff" : "active"
  tags            = local.is_second ? [] : ["z", "b"]
  metadata        = local.is_second ? {} : { round = "first" }

  network {
    uuid        = openstack_networking_network_v2.inside.id
    fixed_ip_v4 = "10.70.0.160"
  }

  network {
    name = openstack_networking_network_v2.variant.name
  }

  depends_on = [
    openstack_networking_subnet_v2.inside,
    openstack_networking_subnet_v2.six,
    openstack_networking_subnet_v2.variant,
    openstack_networking_subnet_v2.stateless,
  ]
}

resource "openstack_compute_instance_v2" "local" {
  name              = "tf-local"
  flavor_id         = openstack_compute_flavor_v2.small.id
  image_name        = openstack_images_image_v2.small.name
  availability_zone = "nova"
  network_mode      = "none"
  admin_pass        = "tf-Passw0rd-9"
  force_delete      = true

  block_device {
    uuid                  = openstack_images_image_v2.small.id
    source_type           = "image"
    destination_type      = "local"
    boot_index            = 0
    delete_on_termination = true
  }

  scheduler_hints {
    group = openstack_compute_servergroup_v2.bounded.id
  }
}

resource "openstack_keymanager_secret_v1" "ending" {
  payload              = "s3cret"
  payload_content_type = "text/plain"
  secret_type          = "opaque"
  expiration           = "2099-02-13T12:12:12Z"

  metadata = local.is_second ? {} : { round = "first" }
}

resource "openstack_keymanager_container_v1" "generic" {
  type = "generic"

  secret_refs {
    name       = "one"
    secret_ref = openstack_keymanager_secret_v1.ending.secret_ref
  }

  acl {
    read {
      project_access = local.is_second
      users          = local.is_second ? [] : [openstack_identity_user_v3.worker.id]
    }
  }
}
