import { access } from 'node:fs/promises';

/** UEFI for guests (OVMF): the code, and the variables that each guest has a copy of. */
export interface UefiFirmware {
  readonly code: string;
  readonly variables: string;
}

/** Where distributions put it; without Secure Boot. */
const PLACES: readonly UefiFirmware[] = [
  {
    code: '/usr/share/OVMF/OVMF_CODE_4M.fd',
    variables: '/usr/share/OVMF/OVMF_VARS_4M.fd',
  },
  { code: '/usr/share/OVMF/OVMF_CODE.fd', variables: '/usr/share/OVMF/OVMF_VARS.fd' },
  { code: '/usr/share/edk2/ovmf/OVMF_CODE.fd', variables: '/usr/share/edk2/ovmf/OVMF_VARS.fd' },
  { code: '/usr/share/edk2/x64/OVMF_CODE.4m.fd', variables: '/usr/share/edk2/x64/OVMF_VARS.4m.fd' },
];

/** Undefined where none is installed. */
export async function findUefiFirmware(places = PLACES): Promise<UefiFirmware | undefined> {
  for (const place of places) {
    try {
      await Promise.all([access(place.code), access(place.variables)]);
      return place;
    } catch {
      continue;
    }
  }
  return undefined;
}
