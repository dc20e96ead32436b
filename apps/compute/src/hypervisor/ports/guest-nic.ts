/** A guest's NIC: how a server's port reaches it. */
import type { NicModel } from './guest-hardware.js';

export interface GuestNic {
  /** A UUID in lower case with dashes; the same for the life of the NIC. */
  readonly id: string;
  /** Order among the guest's NICs, from 0, and place on its bus. */
  readonly position: number;
  /** `fa:16:3e:01:02:03` */
  readonly macAddress: string;
  /** Bytes. */
  readonly mtu: number;
  /** Names the NIC in the guest's config drive. */
  readonly tag?: string | undefined;
  /** The model that the guest sees; virtio by default. */
  readonly model?: NicModel | undefined;
  readonly link: NicLink;
}

export type NicLink = TapLink | UserLink | IsolatedLink | UnpluggedLink;

/** A device of the network's, which the guest's QEMU opens as its own user. */
export interface TapLink {
  readonly kind: 'tap';
  /** `tap01234567-89` */
  readonly device: string;
  /** Network namespace, by name in /run/netns. */
  readonly namespace: string;
}

/** With DHCP behind it, and no way in or out. */
export interface IsolatedLink {
  readonly kind: 'isolated';
}

/** Not plugged in by the network on this host yet. */
export interface UnpluggedLink {
  readonly kind: 'unplugged';
}

/** Alone on a network of the guest's own QEMU. */
export interface UserLink {
  readonly kind: 'user';
  /** `10.1.0.5`, in `cidr`. */
  readonly address: string;
  /** Subnet: `10.1.0.0/24`. */
  readonly cidr: string;
  /** Answered by the network itself where it can be; the guest does not learn it. */
  readonly gatewayIp: string | null;
  readonly forwards: readonly UserNetworkForward[];
}

/** A TCP stream to the host, which the guest's connections share in turns, and which reopens. */
export interface UserNetworkForward {
  /** In the NIC's `cidr`, and unused there: libslirp requires both. */
  readonly address: string;
  readonly port: number;
  readonly to: { readonly host: string; readonly port: number };
}
