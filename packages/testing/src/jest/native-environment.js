/** The environment of native-runner.js: the worker process as it is. */
import { ModuleMocker } from 'jest-mock';

export default class NativeEnvironment {
  /** Globals that Jest changes. */
  global = { Error };
  fakeTimers = null;
  fakeTimersModern = null;
  moduleMocker = new ModuleMocker(globalThis);

  async setup() {
    // Nothing: test files leave nothing to the next one, see native-runner.js.
  }

  async teardown() {
    // Likewise.
  }

  getVmContext() {
    return null;
  }
}
