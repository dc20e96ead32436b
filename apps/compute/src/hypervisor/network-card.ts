/** How a server's port reaches its guest. */
import type { NicModel } from './ports/guest-hardware.js';

export interface GuestNic {
  /** A UUID in lower case with dashes; the same for the life of the card. */
  readonly id: string;
  /** The order of a guest's cards, from 0, and where on its bus it finds them. */
  readonly position: number;
  /** `fa:16:3e:01:02:03` */
  readonly macAddress: string;
  /** Bytes. */
  readonly mtu: number;
  /** The guest's config drive tells which card has it. */
  readonly tag?: string | undefined;
  /** What the guest takes it for; virtio by default. */
  readonly model?: NicModel | undefined;
  readonly card: NetworkCard;
}

export type NetworkCard = TapCard | UserCard | IsolatedCard | UnpluggedCard;

/** A device that the network has made, which the guest's QEMU opens as its own user. */
export interface TapCard {
  readonly kind: 'tap';
  /** `tap01234567-89` */
  readonly device: string;
  /** The network namespace in which it is, by its name in /run/netns. */
  readonly namespace: string;
}

/** With DHCP behind it, and no way in or out. */
export interface IsolatedCard {
  readonly kind: 'isolated';
}

/** One of which the network has not said how it is plugged in on this host. */
export interface UnpluggedCard {
  readonly kind: 'unplugged';
}

/** A card on a network of the guest's own QEMU, which nothing else is on. */
export interface UserCard {
  readonly kind: 'user';
  /** `10.1.0.5`, in `cidr`. */
  readonly address: string;
  /** Of its subnet: `10.1.0.0/24`. */
  readonly cidr: string;
  /** Is answered for by the network itself where it can be; the guest is not told of it. */
  readonly gatewayIp: string | null;
  readonly forwards: readonly UserNetworkForward[];
}

/**
 * One TCP stream to the host, which connections of the guest share and so take in turns. It is opened
 * again where the host closes it, within a second.
 */
export interface UserNetworkForward {
  /** In the card's `cidr`, and nobody else's there: libslirp takes no other. */
  readonly address: string;
  readonly port: number;
  /** What is listening on the host. */
  readonly to: { readonly host: string; readonly port: number };
}
