#!/usr/bin/env bash
#
# Makes the Debian system of a node in a folder, which is all of it but what is built here:
#
#     root.sh FOLDER SUITE [MIRROR...]
#
# Mirrors are what mmdebstrap takes; by default Debian's own. Packages are configured by their own scripts,
# which needs root; nothing is left mounted, and nothing is installed.
set -euo pipefail

packages=(
  linux-image-cloud-amd64 initramfs-tools zstd grub-pc-bin grub-common gdisk e2fsprogs
  systemd-sysv systemd-resolved systemd-repart udev dbus kmod mount ca-certificates
  containerd runc containernetworking-plugins
  iproute2 nftables iptables conntrack
  openssh-server procps less
)
# A kernel's modules that the disk is found with; an initramfs of all of them takes seconds longer to unpack.
modules=(virtio_pci virtio_blk virtio_scsi sd_mod ext4)

die() {
  echo "root.sh: $*" >&2
  exit 1
}

[[ $# -ge 2 ]] || die "usage: root.sh FOLDER SUITE [MIRROR...]"
root=$1 suite=$2
shift 2
[[ $(id -u) == 0 ]] || die "must run as root, for the packages' own scripts"
[[ $(dpkg --print-architecture) == amd64 ]] || die "the image is built on an amd64 Debian"

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM
if ! command -v mmdebstrap >/dev/null; then
  # A program of Perl's, which runs where it is unpacked.
  (cd "$temp" && apt-get -qq -o APT::Sandbox::User=root download mmdebstrap) || die "mmdebstrap is not available"
  dpkg-deb -x "$temp"/mmdebstrap_*.deb "$temp/tools"
  export PATH=$temp/tools/usr/bin:$PATH
fi

settings=$temp/initramfs
mkdir -p "$settings/conf.d"
printf '%s\n' "${modules[@]}" >"$settings/modules"
printf 'MODULES=list\nCOMPRESS=zstd\nFSTYPE=ext4\n' >"$settings/conf.d/node"

rm -rf "$root" "$root.partial"
list=$(IFS=, && echo "${packages[*]}")
mmdebstrap --quiet --mode=root --variant=minbase --format=directory --include="$list" \
  --aptopt='Apt::Install-Recommends "false"' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
  --essential-hook="mkdir -p \"\$1/etc/initramfs-tools\" && cp -R '$settings/.' \"\$1/etc/initramfs-tools/\"" \
  "$suite" "$root.partial" "$@"
# Only what is whole has the name.
mv "$root.partial" "$root"
