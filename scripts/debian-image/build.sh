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

# GRUB in the first of its partitions, the system in the second, which cloud-init grows.
packages=(
  linux-image-cloud-amd64 initramfs-tools zstd grub-pc-bin grub-common
  systemd-sysv systemd-resolved udev dbus netplan.io iproute2
  cloud-init cloud-guest-utils e2fsprogs gdisk
  openssh-server qemu-guest-agent sudo ca-certificates
)
disk_mib=2048
root_at=4096 # sectors of 512 bytes
core_at=2048

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

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cp -R "$here/rootfs/." "$root/"
rm -f "$root"/etc/ssh/ssh_host_* "$root"/etc/machine-id "$root"/etc/hostname "$root"/etc/resolv.conf
: >"$root/etc/machine-id"
ln -s /run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
chroot "$root" systemctl --quiet enable systemd-networkd systemd-resolved

# --- disk --------------------------------------------------------------------------------------------

disk=$temp/disk
end_at=$((disk_mib * 2048 - 2048))
truncate -s "${disk_mib}M" "$root/tmp/disk"
chroot "$root" sgdisk -n "14:$core_at:$((root_at - 1))" -t 14:ef02 -n "1:$root_at:$((end_at - 1))" -t 1:8300 \
  /tmp/disk >/dev/null
# GRUB's core finds the rest of GRUB by the name of the file system.
cp "$here/grub-early.cfg" "$root/tmp/early.cfg"
chroot "$root" grub-mkimage -O i386-pc -p /boot/grub -c /tmp/early.cfg -o /tmp/core \
  biosdisk part_gpt ext2 search search_label normal configfile linux serial terminal echo test
core=$temp/core
mv "$root/tmp/disk" "$disk"
mv "$root/tmp/core" "$core"
rm "$root/tmp/early.cfg"
mke2fs -q -t ext4 -L cloud-root -d "$root" -E "offset=$((root_at * 512))" "$disk" "$(((end_at - root_at) / 2))k"

# GRUB's first sector loads its core from where the partition begins. Both hold the number of a sector to
# read next, as grub-install would write it (GRUB's boot/i386/pc/boot.S and diskboot.S).
[[ $(stat -c %s "$core") -le $(((root_at - core_at) * 512)) ]] || die "GRUB's core does not fit its partition"
le64() { printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x\\x00\\x00\\x00\\x00' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255)))"; }
put() { dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }
le64 $((core_at + 1)) | put "$core" $((0x1f4))
dd if="$core" of="$disk" bs=512 seek=$core_at conv=notrunc status=none
# Its code, but not the table of partitions.
head -c 440 "$root/usr/lib/grub/i386-pc/boot.img" | put "$disk" 0
le64 $core_at | put "$disk" $((0x5c))
printf '\x80' | put "$disk" $((0x64))

qemu-img convert -c -f raw -O qcow2 "$disk" "$partial"
chmod "$(printf %o $((0666 & ~$(umask))))" "$partial"
mv -f "$partial" "$output"
