/** What the ingress of a standalone cloud has to know of its clients too. */
import { integer } from './settings.js';

export const httpSettings = {
  unreadSeconds: integer('CUMULET_UNREAD_SECONDS', {
    about: 'Seconds after which a client that takes no byte of its answer is disconnected.',
    default: 60,
    min: 1,
    max: 3_600,
  }),
};
