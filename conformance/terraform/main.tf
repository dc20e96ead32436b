terraform {
  required_providers {
    openstack = {
      source = "terraform-provider-openstack/openstack"
    }
  }
}

# Everything comes from OS_ variables.
provider "openstack" {}

# What the second apply changes.
variable "round" {
  type    = string
  default = "first"
}

variable "image_file" {
  type = string
}

variable "external_network" {
  type    = string
  default = "public"
}

locals {
  is_second = var.round == "second"
  about     = "of the ${var.round} round"
}

data "openstack_networking_network_v2" "outside" {
  name = var.external_network
}
