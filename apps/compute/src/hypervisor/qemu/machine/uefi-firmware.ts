import { access } from 'node:fs/promises';

/** UEFI for guests (OVMF): its code, and the template of each guest's variables. */
export interface UefiFirmware {
  readonly code: string;
  readonly variables: string;
}

/** Paths of distributions; without Secure Boot. */
const PLACES: readonly UefiFirmware[] = [
  {
    code: '/usr/share/OVMF/OVMF_CODE_4M.fd',
    variables: '/usr/share/OVMF/OVMF_VARS_4M.fd',
  },
  { code: '/usr/share/OVMF/OVMF_CODE.fd', variables: '/usr/share/OVMF/OVMF_VARS.fd' },
  { code: '/usr/share/edk2/ovmf/OVMF_CODE.fd', variables: '/usr/share/edk2/ovmf/OVMF_VARS.fd' },
  { code: '/usr/share/edk2/x64/OVMF_CODE.4m.fd', variables: '/usr/share/edk2/x64/OVMF_VARS.4m.fd' },
];

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
