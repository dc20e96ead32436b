import { HypervisorError } from '../hypervisor-error.js';

const MAC_ADDRESS = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;

/** @throws HypervisorError `bug` unless it is one */
export function macAddressOf(text: string): string {
  if (MAC_ADDRESS.test(text)) return text;
  throw new HypervisorError('bug', 'A MAC address is malformed.');
}
