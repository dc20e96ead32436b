#!/usr/bin/env bash
#
# Builds a Debian cloud image, with cloud-init, out of Debian packages alone:
#
#     build.sh OUTPUT.qcow2 [SUITE [MIRROR...]]
#
# The suite is bookworm by default. Mirrors are what mmdebstrap takes: addresses, lines or files of
# sources.list; by default Debian's own. Packages are configured in a directory, which needs root. The disk
# is put together in a plain file: nothing is mounted, and no device is needed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../lib/bios-disk.sh"

# cloud-init grows the partition of the system.
packages=(
  linux-image-cloud-amd64 initramfs-tools zstd grub-pc-bin grub-common
  systemd-sysv systemd-resolved udev dbus netplan.io iproute2
  cloud-init cloud-guest-utils e2fsprogs gdisk
  openssh-server qemu-guest-agent sudo ca-certificates
)
disk_mib=2048

die() {
  echo "build.sh: $*" >&2
  exit 1
}

[[ $# -ge 1 ]] || die "usage: build.sh OUTPUT.qcow2 [SUITE [MIRROR...]]"
output=$1 suite=${2:-bookworm}
shift $(($# > 1 ? 2 : 1))
[[ $(id -u) == 0 ]] || die "must run as root, for the packages' own scripts"
for tool in apt-get dpkg-deb qemu-img mke2fs; do
  command -v "$tool" >/dev/null || die "$tool is needed but is not installed"
done
[[ $(dpkg --print-architecture) == amd64 ]] || die "the image is built on an amd64 Debian"

temp=$(mktemp -d)
partial=$(mktemp "$output.XXXXXX" 2>/dev/null) || die "cannot write beside $output"
trap 'rm -rf "$temp" "$partial"' EXIT
trap 'exit 1' HUP INT TERM

# --- packages ----------------------------------------------------------------------------------------

if ! command -v mmdebstrap >/dev/null; then
  # A program of Perl's, which runs where it is unpacked.
  (cd "$temp" && apt-get -qq -o APT::Sandbox::User=root download mmdebstrap) || die "mmdebstrap is not available"
  dpkg-deb -x "$temp"/mmdebstrap_*.deb "$temp/tools"
  export PATH=$temp/tools/usr/bin:$PATH
fi

root=$temp/root
list=$(IFS=, && echo "${packages[*]}")
mmdebstrap --quiet --mode=root --variant=minbase --format=directory --include="$list" \
  --aptopt='Apt::Install-Recommends "false"' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  "$suite" "$root" "$@"

# --- system ------------------------------------------------------------------------------------------

cp -R "$here/rootfs/." "$root/"
rm -f "$root"/etc/ssh/ssh_host_* "$root"/etc/machine-id "$root"/etc/hostname "$root"/etc/resolv.conf
: >"$root/etc/machine-id"
ln -s /run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
chroot "$root" systemctl --quiet enable systemd-networkd systemd-resolved

# --- disk --------------------------------------------------------------------------------------------

disk=$temp/disk
make_bios_disk "$root" cloud-root "$disk_mib" "$disk"

qemu-img convert -c -f raw -O qcow2 "$disk" "$partial"
chmod "$(printf %o $((0666 & ~$(umask))))" "$partial"
mv -f "$partial" "$output"
