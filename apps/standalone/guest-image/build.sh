#!/usr/bin/env bash
#
# Builds "micro", a tiny guest image that boots under any QEMU, out of Debian packages alone:
#
#     build.sh OUTPUT.qcow2
#
# The disk is one FAT file system holding a boot loader, a kernel and an initramfs. mtools writes FAT
# inside a plain file, so nothing is mounted and no privilege is needed; packages are downloaded and
# unpacked into a temporary directory, so nothing is installed either.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# What the guest needs of the kernel that is not built in. Dependencies are found, not listed.
modules=(
  virtio_pci virtio_blk virtio_net virtio_rng # the devices of a virtual machine
  virtio_console                              # the channel of an agent
  virtio_scsi ata_piix sr_mod                 # CD-ROM drives, which may carry the config drive
  isofs nls_utf8 vfat nls_cp437 nls_ascii     # its file system, with the character sets of its names
  button evdev                                # the power button, and the way to hear of it
)

die() {
  echo "build.sh: $*" >&2
  exit 1
}

[[ $# -eq 1 ]] || die "usage: build.sh OUTPUT.qcow2"
output=$1
for tool in apt-get dpkg-deb qemu-img; do
  command -v "$tool" >/dev/null || die "$tool is needed but is not installed"
done
[[ $(dpkg --print-architecture) == amd64 ]] || die "the image is built from the packages of an amd64 Debian"

temp=$(mktemp -d)
partial=
# The partial output lies beside the final one: only within one file system is a rename atomic.
trap 'rm -rf "$temp" ${partial:+"$partial"}' EXIT
trap 'exit 1' HUP INT TERM
partial=$(mktemp "$output.XXXXXX" 2>/dev/null) || die "cannot write beside $output"

# --- packages ----------------------------------------------------------------------------------------

debs=$temp/debs packages=$temp/packages
mkdir -p "$debs" "$packages" "$temp/lists/partial" "$temp/cache"

# Run as root, apt downloads as a user of its own, who cannot write into this private directory, and warns.
apt_options=(-qq -o APT::Sandbox::User=root)

apt() { apt-get "${apt_options[@]}" "$@" 2>>"$temp/log"; }

download() { # download PACKAGE...: fetch packages and unpack them
  (cd "$debs" && apt download "$@") || return
  for package; do dpkg-deb -x "$debs/$package"_*.deb "$packages" || return; done
}

no_packages() { die "cannot download packages: $(grep -m1 '^[EW]: ' "$temp/log" || echo 'apt-get failed')"; }

tools=(busybox-static syslinux mtools linux-image-cloud-amd64)
if ! download "${tools[@]}"; then
  # The system's package lists are missing (as they are in a container) or too old. Fresh ones are
  # fetched privately: it works for any user and leaves the system as it is.
  apt_options+=(-o Dir::State::lists="$temp/lists" -o Dir::Cache="$temp/cache" -o APT::Update::Error-Mode=any)
  : >"$temp/log"
  apt update && download "${tools[@]}" || no_packages
fi

# The kernel's name changes with every release: only the metapackage's dependency knows it.
kernel=$(dpkg-deb -f "$debs"/linux-image-cloud-amd64_*.deb Depends | grep -om1 'linux-image-[^ ,]*-cloud-amd64') ||
  die "linux-image-cloud-amd64 names no kernel"
download "$kernel" || no_packages
release=${kernel#linux-image-}

busybox=$packages/bin/busybox
[[ -e $busybox ]] || busybox=$packages/usr/bin/busybox # where /bin and /usr/bin are one
library=$(find "$packages" -type d -path "*lib/modules/$release")

# --- initramfs: the guest's whole system --------------------------------------------------------------

root=$temp/root
cp -R "$here/rootfs" "$root"
mkdir -p "$root"/{bin,sbin,dev,proc,sys,run,tmp,mnt,root,usr/bin,usr/sbin,"lib/modules/$release"}
chmod 1777 "$root/tmp"
chmod 700 "$root/root"
install -m 755 "$busybox" "$root/bin/busybox"

add_module() { # add_module NAME...: copy modules and, first, those they depend on
  local name file
  for name; do
    grep -q "/${name//_/[-_]}\.ko" "$library/modules.builtin" && continue
    file=$(find "$library/kernel" -name "${name//_/[-_]}.ko*" -print -quit)
    [[ $file ]] || die "$kernel has no module $name"
    cp "$file" "$root/lib/modules/$release/"
    file=$root/lib/modules/$release/${file##*/}
    if [[ $file == *.xz ]]; then "$busybox" unxz "$file" && file=${file%.xz}; fi
    # A module names its dependencies in its NUL-separated ".modinfo" section.
    local depends
    depends=$(tr '\0' '\n' <"$file" | sed -n 's/^depends=//p')
    add_module ${depends//,/ }
  done
}
add_module "${modules[@]}"
cp "$library/modules.builtin" "$root/lib/modules/$release/" # modprobe then takes these for loaded
"$busybox" depmod -b "$root" "$release"
printf '%s\n' "${modules[@]}" >"$root/etc/modules"

# The initramfs stays uncompressed. The qcow2 around it is compressed anyway, and reading that is work
# of the host, much faster than work of a guest under emulation.
(cd "$root" && find . | "$busybox" cpio -o -H newc -R 0:0) >"$temp/initrd" 2>"$temp/log" ||
  die "cannot write the initramfs: $(tail -n1 "$temp/log")"

# --- disk ---------------------------------------------------------------------------------------------

disk=$temp/disk
export PATH=$packages/usr/bin:$PATH # syslinux itself calls mtools
kernel_image=$packages/boot/vmlinuz-$release
# 1 MB to spare for the file system's own structures; 4 kB clusters, because they are read in fewer steps.
sectors=$(((($(stat -c %s "$kernel_image") + $(stat -c %s "$temp/initrd")) / 1048576 + 2) * 2048))
mformat -C -i "$disk" -T "$sectors" -h 16 -s 63 -c 8 -v MICRO ::
mcopy -i "$disk" "$here/syslinux.cfg" "$kernel_image" "$temp/initrd" ::
mmove -i "$disk" "::${kernel_image##*/}" ::vmlinuz
syslinux --install "$disk"

qemu-img convert -c -f raw -O qcow2 "$disk" "$partial"
chmod "$(printf %o $((0666 & ~$(umask))))" "$partial" # mktemp makes files that only the owner can read
mv -f "$partial" "$output"
