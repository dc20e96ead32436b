import { wireShape } from '../http/wire-shape.js';

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

export const FLAVOR = wireShape<Flavor>({
  id: 'id',
  name: 'name',
  vcpus: 'vcpus',
  memoryMb: 'ram',
  diskGb: 'disk',
});

export const KEYPAIR = wireShape<Keypair>({ name: 'name', publicKey: 'public_key' });

export interface WireServer {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly fault?: { readonly message: string };
}

export function serverFromWire({ id, name, status, fault }: WireServer): Server {
  return { id, name, status, fault: fault?.message };
}
