/** The actions that only change whether a guest runs, and take nothing. */
import { bareBody, defineAction } from './server-action.js';

/** Nova API reference, "Start Server (os-start Action)". */
export const startAction = defineAction({
  name: 'os-start',
  verb: 'start',
  body: bareBody('os-start'),
  events: ['start'],
});

/** Nova API reference, "Stop Server (os-stop Action)". */
export const stopAction = defineAction({
  name: 'os-stop',
  verb: 'stop',
  body: bareBody('os-stop'),
  events: ['stop'],
});
