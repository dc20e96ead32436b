import { describe, expect, it } from '@jest/globals';
import { allowedStates } from './server-action.js';
import { SERVER_ACTIONS } from './server-actions.js';

/** Compute API reference, "Servers - run an action" and "Servers - run an administrative action". */
const NOVAS_ACTIONS = [
  'addFixedIp',
  'addFloatingIp',
  'addSecurityGroup',
  'changePassword',
  'confirmResize',
  'createBackup',
  'createImage',
  'evacuate',
  'forceDelete',
  'injectNetworkInfo',
  'lock',
  'migrate',
  'os-getConsoleOutput',
  'os-getSPICEConsole',
  'os-getSerialConsole',
  'os-getVNCConsole',
  'os-migrateLive',
  'os-resetState',
  'os-start',
  'os-stop',
  'pause',
  'reboot',
  'rebuild',
  'removeFixedIp',
  'removeFloatingIp',
  'removeSecurityGroup',
  'rescue',
  'resetNetwork',
  'resize',
  'restore',
  'resume',
  'revertResize',
  'shelve',
  'shelveOffload',
  'suspend',
  'trigger_crash_dump',
  'unlock',
  'unpause',
  'unrescue',
  'unshelve',
];

describe('the table of actions', () => {
  it("has each of Nova's, once", () => {
    const known = SERVER_ACTIONS.map(({ name }) => name);
    expect(known.filter((name) => NOVAS_ACTIONS.includes(name)).sort()).toEqual(NOVAS_ACTIONS);
    expect(new Set(known).size).toBe(known.length);
  });

  it('names the body key of each', () => {
    for (const { name, body } of SERVER_ACTIONS) {
      const metadata = Reflect.getMetadata(
        'swagger/apiModelPropertiesArray',
        body.prototype as object,
      ) as string[];
      expect(metadata).toEqual([`:${name}`]);
    }
  });

  it('allows each in some state, except one that restores what is not kept', () => {
    const never = SERVER_ACTIONS.filter((action) => allowedStates(action).length === 0);
    expect(never.map(({ name }) => name)).toEqual(['restore']);
  });

  it('gives each action an event or work of its own', () => {
    const idle = SERVER_ACTIONS.filter(({ run, events }) => !run && events?.length !== 1);
    expect(idle.map(({ name }) => name)).toEqual(['restore']);
  });
});
