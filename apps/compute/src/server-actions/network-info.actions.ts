/** What Nova once did for Xen's guests. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { bareBody, defineAction } from './server-action.js';

/** Nova API reference, "Reset Networking On A Server (resetNetwork Action) (DEPRECATED)": gone since 23.0. */
export const resetNetworkAction = defineAction({
  name: 'resetNetwork',
  body: bareBody('resetNetwork'),
  evenLocked: true,
  evenUnplaced: true,
  run: () => {
    const gone = new DomainError('gone', "The server action 'resetNetwork' was removed from Nova.");
    return Promise.reject(gone);
  },
});

/** Nova API reference, "Inject Network Information (injectNetworkInfo Action)": libvirt's driver does nothing. */
export const injectNetworkInfoAction = defineAction({
  name: 'injectNetworkInfo',
  body: bareBody('injectNetworkInfo'),
  role: 'admin',
  run: () => Promise.resolve(undefined),
});
