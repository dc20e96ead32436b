resource "openstack_images_image_v2" "small" {
  name             = "tf-small"
  local_file_path  = var.image_file
  container_format = "bare"
  disk_format      = "raw"
  min_ram_mb       = 64
  tags             = ["small", "a"]

  properties = {
    os_distro = local.is_second ? "debian" : "cirros"
    hw_rng    = "yes"
  }
}

resource "openstack_images_image_access_v2" "team" {
  image_id  = openstack_images_image_v2.shared.id
  member_id = openstack_identity_project_v3.team.id
}

resource "openstack_images_image_v2" "shared" {
  name             = "tf-shared"
  local_file_path  = var.image_file
  container_format = "bare"
  disk_format      = "raw"
  visibility       = "shared"
}

resource "openstack_compute_flavor_v2" "small" {
  name      = "tf-small"
  ram       = 128
  vcpus     = 1
  disk      = 1
  is_public = false

  extra_specs = {
    "hw_rng:allowed" = local.is_second ? "False" : "True"
  }
}

resource "openstack_compute_flavor_access_v2" "team" {
  flavor_id = openstack_compute_flavor_v2.small.id
  tenant_id = openstack_identity_project_v3.team.id
}

resource "openstack_compute_keypair_v2" "made" {
  name = "tf-made"
}

resource "openstack_compute_keypair_v2" "given" {
  name       = "tf-given"
  public_key = openstack_compute_keypair_v2.made.public_key
}

resource "openstack_compute_servergroup_v2" "apart" {
  name     = "tf-apart"
  policies = ["soft-anti-affinity"]
}

resource "openstack_compute_aggregate_v2" "fast" {
  name = "tf-fast"
  zone = local.is_second ? "tf-zone" : "tf-first-zone"

  metadata = {
    disk = "fast"
  }
}

resource "openstack_compute_quotaset_v2" "team" {
  project_id = openstack_identity_project_v3.team.id
  instances  = local.is_second ? 4 : 3
  cores      = 8
  ram        = 4096
}

resource "openstack_compute_instance_v2" "web" {
  name         = "tf-web-${var.round}"
  image_id     = openstack_images_image_v2.small.id
  flavor_id    = openstack_compute_flavor_v2.small.id
  key_pair     = openstack_compute_keypair_v2.given.name
  user_data    = "#!/bin/sh\necho hello\n"
  config_drive = true
  tags         = ["server", "tf"]

  metadata = {
    round = var.round
    role  = "web"
  }

  network {
    port = openstack_networking_port_v2.web.id
  }

  scheduler_hints {
    group = openstack_compute_servergroup_v2.apart.id
  }
}

resource "openstack_compute_interface_attach_v2" "plain" {
  instance_id = openstack_compute_instance_v2.web.id
  port_id     = openstack_networking_port_v2.plain.id
}
