# Puts a Debian system in a folder onto a disk that boots by BIOS, in a plain file: nothing is mounted, and no
# device is needed. Root runs it, since GRUB's and the partitions' programs are those of the system.
#
#     source bios-disk.sh
#     make_bios_disk ROOT LABEL MIB DISK
#
# The system has grub-pc-bin, grub-common and gdisk installed, and boot/grub/grub.cfg. The label is that of its
# file system. GRUB is in partition 14, the system in partition 1 at the end, where it can grow with the disk.

make_bios_disk() {
  local root=$1 label=$2 mib=$3 disk=$4
  local core_at=2048 root_at=4096 # sectors of 512 bytes
  local end_at=$((mib * 2048 - 2048)) core=$disk.core
  truncate -s "${mib}M" "$root/tmp/disk"
  chroot "$root" sgdisk -n "14:$core_at:$((root_at - 1))" -t 14:ef02 -n "1:$root_at:$((end_at - 1))" -t 1:8304 \
    /tmp/disk >/dev/null
  # GRUB's core finds the rest of GRUB by the name of the file system.
  printf 'search --no-floppy --label %s --set root\nset prefix=($root)/boot/grub\n' "$label" >"$root/tmp/early.cfg"
  chroot "$root" grub-mkimage -O i386-pc -p /boot/grub -c /tmp/early.cfg -o /tmp/core \
    biosdisk part_gpt ext2 search search_label normal configfile linux serial terminal echo test
  mv "$root/tmp/disk" "$disk"
  mv "$root/tmp/core" "$core"
  rm "$root/tmp/early.cfg"
  mke2fs -q -t ext4 -L "$label" -d "$root" -E "offset=$((root_at * 512))" "$disk" "$(((end_at - root_at) / 2))k"

  # GRUB's first sector loads its core from where the partition begins. Both hold the number of a sector to
  # read next, as grub-install would write it (GRUB's boot/i386/pc/boot.S and diskboot.S).
  if [[ $(stat -c %s "$core") -gt $(((root_at - core_at) * 512)) ]]; then
    echo "bios-disk.sh: GRUB's core does not fit its partition" >&2
    return 1
  fi
  le64 $((core_at + 1)) | put "$core" $((0x1f4))
  dd if="$core" of="$disk" bs=512 seek=$core_at conv=notrunc status=none
  # Its code, but not the table of partitions.
  head -c 440 "$root/usr/lib/grub/i386-pc/boot.img" | put "$disk" 0
  le64 $core_at | put "$disk" $((0x5c))
  printf '\x80' | put "$disk" $((0x64))
  rm "$core"
}

le64() {
  printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x\\x00\\x00\\x00\\x00' \
    $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255)))"
}

put() { dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }
