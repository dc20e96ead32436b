/** A server in QEMU on a network shared by a trial's guests, as started by compute. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The address of the clusters service on the network, whose router leads nowhere else. */
export const SERVICE = '10.0.2.100:80';
/** The address that the first guest gets. */
export const FIRST_ADDRESS = '10.0.2.15';

const PROCESSOR = 'max,-cx16';

export class Guest {
  /**
   * @param options `mac`: the last byte; `switchPort`: of the guests' network; `router`: of the first guest alone,
   *   `{ apiPort, servicePort }`: ports of this machine that lead to its API, and to the service
   */
  constructor(folder, image, options) {
    const { name } = options;
    mkdirSync(join(folder, name, 'drive/openstack/latest'), { recursive: true });
    this.folder = join(folder, name);
    this.options = options;
    this.disk = join(this.folder, 'disk.qcow2');
    execFileSync('qemu-img', [
      'create',
      '-q',
      '-f',
      'qcow2',
      '-b',
      image,
      '-F',
      'qcow2',
      this.disk,
      '10G',
    ]);
  }

  /** @param userData for the config drive; by default that of the previous start */
  start(userData) {
    const file = join(this.folder, 'drive/openstack/latest/user_data');
    if (userData !== undefined) writeFileSync(file, userData);
    const { name, vcpus, memoryMb, mac } = this.options;
    const log = openSync(join(this.folder, 'qemu.log'), 'a');
    const args = [
      ...[
        '-name',
        name,
        '-machine',
        'pc',
        '-accel',
        'tcg,thread=multi,tb-size=128',
        '-cpu',
        PROCESSOR,
      ],
      ...['-smp', String(vcpus), '-m', String(memoryMb), '-nodefaults', '-display', 'none'],
      ...['-drive', `file=${this.disk},if=none,id=disk,format=qcow2,cache=unsafe`],
      ...['-device', 'virtio-blk-pci,drive=disk,bootindex=1'],
      ...[
        '-blockdev',
        `driver=vvfat,node-name=drive,dir=${join(this.folder, 'drive')},label=config-2,read-only=on`,
      ],
      ...['-device', 'virtio-blk-pci,drive=drive'],
      ...['-device', 'virtio-rng-pci', '-serial', `file:${this.console}`],
      ...this.#network(`52:54:00:0c:00:${mac}`),
    ];
    this.startedAt = performance.now();
    this.process = spawn('qemu-system-x86_64', args, { stdio: ['ignore', log, log] });
  }

  get console() {
    return join(this.folder, 'console.log');
  }

  consoleText() {
    return readFileSync(this.console, 'utf8');
  }

  /** The first guest's QEMU also has the network's router, besides its NIC. */
  #network(mac) {
    const { switchPort, router } = this.options;
    const joined = `connect=127.0.0.1:${switchPort}`;
    const card = [
      '-netdev',
      `socket,id=card,${joined}`,
      '-device',
      `virtio-net-pci,netdev=card,mac=${mac}`,
    ];
    if (router === undefined) return card;
    const fromHost = `hostfwd=tcp:127.0.0.1:${router.apiPort}-${FIRST_ADDRESS}:6443`;
    const toHost = `guestfwd=tcp:${SERVICE}-cmd:${this.#relay(router.servicePort)}`;
    return [
      ...card,
      ...[
        '-netdev',
        `socket,id=uplink,${joined}`,
        '-netdev',
        'hubport,id=port0,hubid=0,netdev=uplink',
      ],
      ...['-netdev', `user,id=router,restrict=on,${fromHost},${toHost}`],
      ...['-netdev', 'hubport,id=port1,hubid=0,netdev=router'],
    ];
  }

  /** A program that QEMU runs for each connection to the service. */
  #relay(port) {
    const path = join(this.folder, 'relay');
    const script = [
      '#!/bin/bash',
      `exec 3<>/dev/tcp/127.0.0.1/${port}`,
      '{ cat <&3; kill $$; } &',
      'cat >&3',
      '',
    ];
    writeFileSync(path, script.join('\n'), { mode: 0o755 });
    return path;
  }

  async stop() {
    if (this.process === undefined || this.process.exitCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }
}
