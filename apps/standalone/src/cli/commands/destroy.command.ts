/** `cumulet destroy`: removes the remains of a cloud from this machine. */
import { destroyCloud } from '../destroy/destroy-cloud.js';
import type { Command } from '../command.js';

export const destroy: Command = {
  words: ['destroy'],
  operands: ['FOLDER'],
  summary: 'end what the cloud of a data folder has left on this machine',
  details: [
    'For a cloud that was killed, or whose folder was deleted: ends its database, its network, its load',
    'balancers and its guests, which lose power, and removes its network namespaces, its device and its',
    'route. The folder keeps what is in it, and npm start starts its cloud again. A cloud that runs is',
    'refused. Run it as the user who ran the cloud; nobody has to act, and --cloud is not needed.',
  ],
  options: {},
  prepare({ operands: [folder = ''] }) {
    return (scope) => destroyCloud(folder, (line) => scope.say(line));
  },
};
