#!/usr/bin/env bash
#
# Makes the disk of a node out of a Debian system and what is built here:
#
#     disk.sh DEBIAN CONTENT OUTPUT.qcow2
#
# DEBIAN is what root.sh made, CONTENT a folder that is copied over it. Neither is changed.
set -euo pipefail

label=node-root
# As small as what is in it allows; it grows to the disk that a server has.
disk_mib=3072

die() {
  echo "disk.sh: $*" >&2
  exit 1
}

[[ $# -eq 3 ]] || die "usage: disk.sh DEBIAN CONTENT OUTPUT.qcow2"
debian=$1 content=$2 output=$3
[[ $(id -u) == 0 ]] || die "must run as root, for the owners of files"
for tool in qemu-img mke2fs; do
  command -v "$tool" >/dev/null || die "$tool is needed but is not installed"
done
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../../../scripts/lib/bios-disk.sh"

temp=$(mktemp -d "$output.XXXXXX") || die "cannot write beside $output"
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM

# --- system ------------------------------------------------------------------------------------------

root=$temp/root
cp -a "$debian" "$root"
cp -R --no-preserve=ownership "$content/." "$root/"
rm -f "$root"/etc/ssh/ssh_host_* "$root"/etc/machine-id "$root"/etc/hostname "$root"/etc/resolv.conf
: >"$root/etc/machine-id"
ln -s /run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
chroot "$root" systemctl --quiet enable systemd-networkd systemd-resolved containerd cumulet-node
# What a node of a cluster has no use for, or starts itself.
chroot "$root" systemctl --quiet disable ssh.service getty@tty1.service e2scrub_reap.service grub-common.service \
  apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer
chroot "$root" systemctl --quiet mask systemd-networkd-wait-online.service systemd-hostnamed.service \
  systemd-pcrlock-make-policy.service systemd-firstboot.service serial-getty@ttyS0.service
"$here/import-images.sh" "$root" || echo "disk.sh: the images of containers are unpacked at a node's first boot" >&2

# --- disk --------------------------------------------------------------------------------------------

make_bios_disk "$root" "$label" "$disk_mib" "$temp/disk"
qemu-img convert -c -f raw -O qcow2 -o compression_type=zstd "$temp/disk" "$temp/qcow2"
chmod "$(printf %o $((0666 & ~$(umask))))" "$temp/qcow2"
mv -f "$temp/qcow2" "$output"
