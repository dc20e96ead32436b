#!/usr/bin/env bash
#
# Gives the container runtime of a system in a folder the images that lie in it, as its first boot would:
#
#     import-images.sh ROOT
#
# The runtime runs in the folder, with what it mounts in a namespace that ends with it. Where that is not
# allowed, as in some containers, it fails, and leaves nothing.
set -euo pipefail

root=$1
clean() { rm -rf "$root/var/lib/containerd" "$root/run/containerd" "$root/var/lib/cumulet"; }
trap '[[ $? == 0 ]] || clean' EXIT

unshare --mount --pid --fork --kill-child bash -s "$root" <<'INSIDE'
set -euo pipefail
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/run"
mount --rbind /dev "$root/dev"
chroot "$root" containerd --log-level error &
for _ in $(seq 100); do
  chroot "$root" ctr version >/dev/null 2>&1 && break
  sleep 0.2
done
chroot "$root" /usr/lib/cumulet-node/import-images >/dev/null
kill %1
wait %1 || true
INSIDE
rm -rf "$root/run/containerd"
# They are in the runtime's store now.
rm -f "$root"/usr/share/cumulet-node/images/*.tar
