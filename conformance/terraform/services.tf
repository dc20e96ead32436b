resource "openstack_keymanager_secret_v1" "password" {
  name                 = "tf-password"
  payload              = "s3cret"
  payload_content_type = "text/plain"
  secret_type          = "passphrase"
  algorithm            = "aes"
  bit_length           = 256
  mode                 = "cbc"

  metadata = {
    round = var.round
  }

  acl {
    read {
      project_access = false
      users          = [openstack_identity_user_v3.worker.id]
    }
  }
}

resource "openstack_keymanager_secret_v1" "certificate" {
  name                     = "tf-certificate"
  payload                  = base64encode("certificate")
  payload_content_type     = "application/octet-stream"
  payload_content_encoding = "base64"
  secret_type              = "certificate"
}

resource "openstack_keymanager_container_v1" "tls" {
  name = "tf-tls"
  type = "certificate"

  secret_refs {
    name       = "certificate"
    secret_ref = openstack_keymanager_secret_v1.certificate.secret_ref
  }

  secret_refs {
    name       = "private_key_passphrase"
    secret_ref = openstack_keymanager_secret_v1.password.secret_ref
  }
}

resource "openstack_orchestration_stack_v1" "random" {
  name             = "tf-random"
  disable_rollback = true
  tags             = ["stack", "a"]
  timeout          = 30

  template_opts = {
    Bin = <<-EOT
      heat_template_version: 2018-08-31
      parameters:
        length:
          type: number
      resources:
        word:
          type: OS::Heat::RandomString
          properties:
            length: { get_param: length }
      outputs:
        word:
          value: { get_attr: [word, value] }
    EOT
  }

  environment_opts = {
    Bin = "\n"
  }

  parameters = {
    length = local.is_second ? "12" : "10"
  }
}

resource "openstack_containerinfra_clustertemplate_v1" "small" {
  name                = "tf-small"
  image               = openstack_images_image_v2.node.name
  coe                 = "kubernetes"
  flavor              = "m1.small"
  master_flavor       = "m1.small"
  external_network_id = data.openstack_networking_network_v2.outside.id
  docker_volume_size  = 0
  network_driver      = "flannel"
  floating_ip_enabled = local.is_second
  server_type         = "vm"

  labels = {
    kube_tag       = local.is_second ? "v1.31.2" : "v1.31.1"
    node_bootstrap = "k3s"
  }
}

resource "openstack_images_image_v2" "node" {
  name             = "tf-node"
  local_file_path  = var.image_file
  container_format = "bare"
  disk_format      = "raw"
  visibility       = "public"

  properties = {
    os_distro = "fedora-coreos"
  }
}
