/** Servers and what they are made with, as sisters of the compute service read them. */

export interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
}

export interface Keypair {
  readonly name: string;
  readonly publicKey: string;
}

export interface Server {
  readonly id: string;
  readonly name: string;
  /** `ACTIVE`, `BUILD`, `ERROR`, … */
  readonly status: string;
  /** Why it is in ERROR. */
  readonly fault: string | undefined;
}

export interface WireFlavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly ram: number;
  readonly disk: number;
}

export interface WireKeypair {
  readonly name: string;
  readonly public_key: string;
}

export interface WireServer {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly fault?: { readonly message: string };
}

export function flavorFromWire({ id, name, vcpus, ram, disk }: WireFlavor): Flavor {
  return { id, name, vcpus, memoryMb: ram, diskGb: disk };
}

export function keypairFromWire({ name, public_key: publicKey }: WireKeypair): Keypair {
  return { name, publicKey };
}

export function serverFromWire({ id, name, status, fault }: WireServer): Server {
  return { id, name, status, fault: fault?.message };
}
