import { describe, expect, it } from '@jest/globals';
import { guestFrom, imageOf, isolatedNic } from '../../contract/harness.fixture.js';
import {
  STANDARD_HARDWARE,
  type GuestHardware,
  type RescueDevice,
} from '../../ports/guest-hardware.js';
import type { GuestSpec } from '../../ports/guest-spec.js';
import type { BaseImage } from '../image/base-image-store.js';
import { guestFolder } from '../guest-folder.js';
import { qemuArguments, taggedDevices, type GuestHost } from './qemu-arguments.js';

const ID = '0f0f0f0f-0000-4000-8000-000000000001';
const FOLDER = guestFolder('/data,with=commas/guests', ID);
const NIC = isolatedNic({ id: '0f0f0f0f-0000-4000-8000-000000000002' });
const TCG: GuestHost = { accelerator: 'tcg', sandbox: true, consoleRingBytes: 65536 };

function image<Kind extends BaseImage['kind']>(kind: Kind): BaseImage & { kind: Kind } {
  return {
    kind,
    path: `/data,with=commas/images/${kind}/data`,
    virtualSizeBytes: 1,
    bootable: true,
  };
}

interface Case {
  readonly spec?: Partial<GuestSpec>;
  readonly base?: 'raw' | 'qcow2';
  readonly host?: Partial<GuestHost>;
  readonly withKernel?: boolean;
}

function args({ spec = {}, base = 'qcow2', host = {}, withKernel = false }: Case = {}): string[] {
  const guest = guestFrom(imageOf(Buffer.alloc(512)).image, {
    id: ID,
    configDrive: undefined,
    ...spec,
  });
  const images = {
    base: image(base),
    kernel: withKernel ? image('kernel') : undefined,
    ramdisk: withKernel ? image('ramdisk') : undefined,
  };
  return qemuArguments(guest, FOLDER, images, { ...TCG, ...host });
}

function valuesOf(list: readonly string[], option: string): (string | undefined)[] {
  return list.flatMap((value, index) => (value === option ? [list[index + 1]] : []));
}

describe('a tag of the disk', () => {
  it("is given with the disk's address", () => {
    const spec = { configDrive: { metaData: {} }, diskTag: 'system' };
    const devices = valuesOf(args({ spec }), '-device');
    expect(devices).toContain('virtio-blk-pci,addr=3,drive=disk,bootindex=1');
    expect(taggedDevices(guestFrom(imageOf(Buffer.alloc(512)).image, spec))).toEqual([
      { type: 'disk', bus: 'pci', address: '0000:00:03.0', tags: ['system'] },
    ]);
  });

  it('is absent if none was given', () => {
    expect(taggedDevices(guestFrom(imageOf(Buffer.alloc(512)).image))).toEqual([]);
  });
});

describe('qemuArguments', () => {
  it("gives a guest its flavor's resources", () => {
    const list = args({ spec: { vcpus: 4, memoryMb: 2048 } });
    expect(valuesOf(list, '-smp')).toEqual(['cpus=4']);
    expect(valuesOf(list, '-m')).toEqual(['size=2048M']);
    expect(valuesOf(list, '-uuid')).toEqual([ID]);
  });

  it("has Nova's name in the firmware, which cloud-init looks for", () => {
    const [system = ''] = valuesOf(args(), '-smbios');
    expect(system.split(',')).toEqual(
      expect.arrayContaining(['type=1', 'product=OpenStack Nova', `serial=${ID}`, `uuid=${ID}`]),
    );
  });

  it('names the format of every file, and that there is none below the lowest', () => {
    const [disk = ''] = valuesOf(args(), '-blockdev');
    expect(JSON.parse(disk)).toMatchObject({
      driver: 'qcow2',
      file: { filename: 'disk.qcow2' },
      backing: { driver: 'qcow2', 'read-only': true, backing: null },
    });
    const [overRaw = ''] = valuesOf(args({ base: 'raw' }), '-blockdev');
    expect(JSON.parse(overRaw)).toMatchObject({ backing: { driver: 'raw' } });
  });

  it('names files by their descriptors or from its folder, since its user may walk no path', () => {
    const list = args({ withKernel: true, spec: { configDrive: { metaData: {} } } });
    const [disk = '', configDrive = ''] = valuesOf(list, '-blockdev');
    expect(JSON.parse(disk)).toMatchObject({
      backing: { file: { filename: '/proc/self/fd/3' } },
    });
    expect(valuesOf(list, '-kernel')).toEqual(['/proc/self/fd/4']);
    expect(valuesOf(list, '-initrd')).toEqual(['/proc/self/fd/5']);
    expect(JSON.parse(configDrive)).toMatchObject({ file: { filename: '/proc/self/fd/6' } });
    expect(list.filter((value) => value.includes('with='))).toEqual(valuesOf(list, '-name'));
  });

  it('is named by its folder, in which commas are doubled', () => {
    expect(valuesOf(args(), '-name')).toEqual([`guest=/data,,with=commas/guests/${ID}`]);
  });

  it("uses the host's processor with KVM, and all that can be translated with TCG", () => {
    expect(valuesOf(args({ host: { accelerator: 'kvm' } }), '-cpu')).toEqual(['host']);
    expect(valuesOf(args(), '-cpu')).toEqual(['max,cx16=off']);
    expect(valuesOf(args(), '-accel')).toEqual([expect.stringMatching(/^tcg,tb-size=\d+$/)]);
  });

  it('leaves out a sandbox that does not work', () => {
    expect(valuesOf(args(), '-sandbox')).toHaveLength(1);
    expect(valuesOf(args({ host: { sandbox: false } }), '-sandbox')).toEqual([]);
  });

  it('adds a NIC only if one is requested', () => {
    expect(valuesOf(args({ spec: { nics: [] } }), '-netdev')).toEqual([]);
  });

  it('keeps an isolated guest from everything', () => {
    const list = args({ spec: { nics: [NIC] } });
    expect(valuesOf(list, '-netdev')).toEqual([`user,id=net-${NIC.id},restrict=on`]);
    expect(list.join(' ')).toContain('mac=fa:16:3e:00:00:01');
  });

  it('boots a kernel of its own with its command line', () => {
    const plain = args({ withKernel: true });
    expect(valuesOf(plain, '-append')[0]).toContain('root=/dev/vda');
    const chosen = args({ withKernel: true, spec: { kernelCommandLine: 'quiet,a=b' } });
    expect(valuesOf(chosen, '-append')).toEqual(['quiet,a=b']);
  });

  it.each<Partial<GuestSpec>>([
    { vcpus: 0 },
    { vcpus: 1.5 },
    { memoryMb: -1 },
    { nics: [{ ...NIC, macAddress: 'fa:16:3e:00:00:01,id=evil' }] },
    { nics: [{ ...NIC, mtu: 67 }] },
    { nics: [{ ...NIC, id: 'net0,id=evil' }] },
    { nics: [{ ...NIC, link: { kind: 'tap', device: 'tap0,fd=3', namespace: 'switch' } }] },
  ])('refuses %j', (spec) => {
    expect(() => args({ spec })).toThrow(expect.objectContaining({ kind: 'bug' }));
  });
});

describe('the hardware of a guest', () => {
  const of = (hardware: Partial<GuestHardware>, host: Partial<GuestHost> = {}): string[] =>
    args({ spec: { hardware: { ...STANDARD_HARDWARE, ...hardware } }, host });
  const devicesOf = (hardware: Partial<GuestHardware>): (string | undefined)[] =>
    valuesOf(of(hardware), '-device');

  it.each<[Partial<GuestHardware>, string[]]>([
    [
      { diskBus: 'scsi' },
      ['virtio-scsi-pci,id=scsi0,addr=3', 'scsi-hd,bus=scsi0.0,scsi-id=0,drive=disk,bootindex=1'],
    ],
    [{ diskBus: 'sata' }, ['ahci,id=sata0,addr=3', 'ide-hd,bus=sata0.0,drive=disk,bootindex=1']],
    [{ diskBus: 'ide' }, ['ide-hd,bus=ide.0,unit=0,drive=disk,bootindex=1']],
    [
      { diskBus: 'usb' },
      ['qemu-xhci,id=usb0,addr=3', 'usb-storage,bus=usb0.0,drive=disk,bootindex=1'],
    ],
    [{ video: 'virtio' }, ['virtio-vga,addr=0xf']],
    [{ videoMb: 40 }, ['VGA,addr=0xf,vgamem_mb=32']],
    [
      { rng: { bytes: 1000, periodMs: 500 } },
      ['virtio-rng-pci,rng=rng0,max-bytes=1000,period=500'],
    ],
    [{ guestAgent: true }, ['virtserialport,chardev=agent,name=org.qemu.guest_agent.0']],
    [{ inputBus: 'usb' }, ['usb-tablet,bus=input.0', 'usb-kbd,bus=input.0']],
    [{ watchdog: 'reset' }, ['i6300esb']],
  ])('of %j is %j', (hardware, expected) => {
    expect(devicesOf(hardware)).toEqual(expect.arrayContaining(expected));
  });

  it('has no screen and no socket for one if its image says so', () => {
    expect(of({ video: 'none' })).not.toContain('-vnc');
    expect(devicesOf({ video: 'none' }).join()).not.toContain('VGA');
  });

  it('has no random numbers if its flavor forbids them', () => {
    expect(devicesOf({ rng: undefined }).join()).not.toContain('rng');
  });

  it('is of the machine that its image names, whose sleep states have names of their own', () => {
    const list = of({ machine: 'q35', bootMenu: true });
    expect(valuesOf(list, '-machine')[0]).toMatch(/^q35,/);
    expect(valuesOf(list, '-global')).toEqual(['ICH9-LPC.disable_s3=1', 'ICH9-LPC.disable_s4=1']);
    expect(valuesOf(list, '-boot')).toEqual(['strict=on,menu=on']);
  });

  it('has the topology of its flavor', () => {
    const topology = { sockets: 1, cores: 2, threads: 2 };
    const list = args({ spec: { vcpus: 4, hardware: { ...STANDARD_HARDWARE, topology } } });
    expect(valuesOf(list, '-smp')).toEqual(['cpus=4,sockets=1,cores=2,threads=2']);
  });

  it('has local disks that each keep to the same limits', () => {
    const hardware = { ...STANDARD_HARDWARE, diskLimits: { readBytes: 1024 } };
    const list = args({ spec: { hardware, localDisks: [{ sizeMb: 1, format: 'swap' }] } });
    expect(valuesOf(list, '-object')).toContain('throttle-group,id=local0-group,x-bps-read=1024');
    expect(valuesOf(list, '-device')).toContain('virtio-blk-pci,addr=0x8,drive=local0-limits');
  });

  it('has a disk that keeps to its limits', () => {
    const list = of({ diskLimits: { readBytes: 1024, totalRequests: 50 } });
    expect(valuesOf(list, '-object')).toContain(
      'throttle-group,id=disk-group,x-bps-read=1024,x-iops-total=50',
    );
    expect(valuesOf(list, '-device')).toContain(
      'virtio-blk-pci,addr=3,drive=disk-limits,bootindex=1',
    );
  });

  it('has UEFI if the host does, and is refused otherwise', () => {
    const uefi = { code: '/usr/share/code.fd', variables: '/usr/share/vars.fd' };
    const list = of({ firmware: 'uefi' }, { uefi });
    expect(valuesOf(list, '-machine')[0]).toContain('pflash0=uefi-code,pflash1=uefi-variables');
    expect(valuesOf(list, '-blockdev').join()).toContain('"filename":"uefi-variables.qcow2"');
    expect(() => of({ firmware: 'uefi' })).toThrow('no UEFI');
  });

  it("has NICs of its image's model", () => {
    const link = { kind: 'isolated' } as const;
    const nic = { id: ID, position: 0, macAddress: 'fa:16:3e:00:00:01', mtu: 1500, link };
    const devices = valuesOf(args({ spec: { nics: [{ ...nic, model: 'e1000' }] } }), '-device');
    expect(devices).toContain(
      `e1000,id=nic-${ID},netdev=net-${ID},mac=fa:16:3e:00:00:01,addr=0x10,romfile=`,
    );
  });
});

describe('a guest that is rescued', () => {
  const disks = (spec: Partial<GuestSpec>): (string | undefined)[] => {
    const guest = guestFrom(imageOf(Buffer.alloc(512)).image, { id: ID, ...spec });
    const images = { base: image('qcow2'), kernel: undefined, ramdisk: undefined };
    const list = qemuArguments(guest, FOLDER, images, TCG, spec.rescue && images);
    return valuesOf(list, '-device').filter((device) => device?.includes('drive='));
  };
  const rescue = imageOf(Buffer.alloc(512)).image;
  const localDisks = [{ sizeMb: 1, format: 'swap' }] as const;
  const plain = disks({ localDisks });

  it.each<[RescueDevice, string[]]>([
    [{ kind: 'disk', bus: 'virtio' }, ['virtio-blk-pci,drive=rescue,bootindex=1']],
    [{ kind: 'disk', bus: 'scsi' }, ['scsi-hd,bus=scsi0.0,scsi-id=0,drive=rescue,bootindex=1']],
    [{ kind: 'cdrom', bus: 'ide' }, ['ide-cd,bus=ide.1,unit=0,drive=rescue,bootindex=1']],
    [{ kind: 'floppy', bus: 'fdc' }, ['floppy,drive=rescue']],
  ])('from %j has its own disks where they are', (rescueDevice, expected) => {
    const own = plain.map((device) => device?.replace('bootindex=1', 'bootindex=2'));
    expect(disks({ localDisks, rescue, rescueDevice })).toEqual([...own, ...expected]);
  });

  it('from a disk at their own bus has that behind them', () => {
    const hardware = { ...STANDARD_HARDWARE, diskBus: 'scsi' } as const;
    const rescueDevice = { kind: 'disk', bus: 'scsi' } as const;
    const [own, , , last] = disks({ hardware, localDisks, rescue, rescueDevice });
    expect([own, last]).toEqual([
      'scsi-hd,bus=scsi0.0,scsi-id=0,drive=disk,bootindex=2',
      'scsi-hd,bus=scsi0.0,scsi-id=2,drive=rescue,bootindex=1',
    ]);
  });

  it('from a disk of no kind of its own has that before them', () => {
    expect(disks({ rescue }).slice(0, 2)).toEqual([
      'virtio-blk-pci,addr=3,drive=rescue,bootindex=1',
      'virtio-blk-pci,drive=disk',
    ]);
  });
});
