/** How a server's port reaches its guest. */

/** A card on a network of the guest's own QEMU, which nothing else is on. */
export interface UserNetworkCard {
  readonly macAddress: string;
  /** `10.1.0.5`, in `cidr`. */
  readonly address: string;
  /** Of its subnet: `10.1.0.0/24`. */
  readonly cidr: string;
  /** Is answered for by the network itself where it can be; the guest is not told of it. */
  readonly gatewayIp: string | null;
  /** Bytes. */
  readonly mtu: number;
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
