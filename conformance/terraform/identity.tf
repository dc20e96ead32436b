resource "openstack_identity_project_v3" "team" {
  name        = "tf-team"
  description = local.about
  tags        = ["blue", local.is_second ? "amber" : "red"]
}

resource "openstack_identity_user_v3" "worker" {
  name               = "tf-worker"
  description        = local.about
  default_project_id = openstack_identity_project_v3.team.id
  password           = "tf-Passw0rd-9"

  extra = {
    email = "worker@example.org"
  }
}

resource "openstack_identity_group_v3" "workers" {
  name        = "tf-workers"
  description = local.about
}

resource "openstack_identity_user_membership_v3" "worker" {
  user_id  = openstack_identity_user_v3.worker.id
  group_id = openstack_identity_group_v3.workers.id
}

resource "openstack_identity_role_v3" "operator" {
  name = "tf-operator"
}

resource "openstack_identity_role_assignment_v3" "worker" {
  user_id    = openstack_identity_user_v3.worker.id
  project_id = openstack_identity_project_v3.team.id
  role_id    = openstack_identity_role_v3.operator.id
}

resource "openstack_identity_role_assignment_v3" "workers" {
  group_id   = openstack_identity_group_v3.workers.id
  project_id = openstack_identity_project_v3.team.id
  role_id    = openstack_identity_role_v3.operator.id
}

resource "openstack_identity_inherit_role_assignment_v3" "workers" {
  group_id  = openstack_identity_group_v3.workers.id
  domain_id = "default"
  role_id   = openstack_identity_role_v3.operator.id
}

resource "openstack_identity_service_v3" "weather" {
  name        = "tf-weather"
  type        = "weather"
  description = local.about
}

resource "openstack_identity_endpoint_v3" "weather" {
  name            = "tf-weather"
  service_id      = openstack_identity_service_v3.weather.id
  endpoint_region = "RegionOne"
  url             = "http://weather.example.org/${var.round}"
}

resource "openstack_identity_application_credential_v3" "ci" {
  name        = "tf-ci"
  description = "for CI"
  roles       = ["reader"]

  access_rules {
    path    = "/v2.0/networks"
    service = "network"
    method  = "GET"
  }
}

resource "openstack_identity_ec2_credential_v3" "ci" {}
